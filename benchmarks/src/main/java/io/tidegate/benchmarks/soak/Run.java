package io.tidegate.benchmarks.soak;

import io.tidegate.benchmarks.load.HttpConnection;
import io.tidegate.benchmarks.load.HttpConnection.Refusals;
import io.tidegate.benchmarks.load.HttpRequests;
import io.tidegate.benchmarks.load.LoadGenerator;
import io.tidegate.benchmarks.load.LoadGenerator.Order;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.benchmarks.load.OpenLoad;
import io.tidegate.benchmarks.load.OpenLoad.Interval;
import io.tidegate.benchmarks.load.PreparedRequest;
import io.tidegate.benchmarks.load.Processors;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.benchmarks.load.TidegateProcess;
import io.tidegate.benchmarks.soak.Outage.Switch;
import io.tidegate.benchmarks.soak.Results.Row;
import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.RedisServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Runs the load, with one server and its stores. */
final class Run {

  /** Options for memory, as the launcher sets them for the default of max-series. */
  static final String HEAP = "-Xmx956m -XX:+AlwaysActAsServerClassMachine"
      + " -XX:G1PeriodicGCInterval=60000 -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=30"
      + " -XX:MaxDirectMemorySize=256m";

  /** A rate to choose identifiers by while the maximum is measured. */
  private static final double ASSUMED_PER_SECOND = 20_000;

  /** Far longer than the counts of the last ticks need. */
  private static final long SETTLE_MILLIS = 60_000;

  private final Settings settings;
  private final List<Row> rows = new ArrayList<>();

  Run(Settings settings) {
    this.settings = settings;
  }

  Results run() throws IOException {
    if (settings.pinned()) {
      Processors.bindLoad(); // the stores inherit it
    }
    try (RedisServer redis = RedisServer.start();
        MariaDbServer database = MariaDbServer.start("--innodb-buffer-pool-size=256M");
        TidegateProcess server = startServer(redis, database)) {
      return run(server, redis, database);
    }
  }

  private TidegateProcess startServer(RedisServer redis, MariaDbServer database)
      throws IOException {
    String[] processor = settings.pinned() ? Processors.serverPrefix() : new String[0];
    String[] prefix = Stream.concat(
            Stream.of("env", "JAVA_TOOL_OPTIONS=" + HEAP), Stream.of(processor))
        .toArray(String[]::new);
    return new TidegateProcess(
        prefix,
        "--event-loops=" + settings.eventLoops(),
        "--region=soak",
        "--redis-uri=" + redis.uri(),
        "--jdbc-url=" + database.jdbcUrl());
  }

  private Results run(TidegateProcess server, RedisServer redis, MariaDbServer database)
      throws IOException {
    HttpRequests requests = Traffic.requests(server.address());
    System.err.println("soak: measuring the maximum ...");
    Outcome warmup = closedLoop(requests);
    Outcome maximum = closedLoop(requests);
    double perSecond = settings.perSecond() > 0
        ? settings.perSecond()
        : maximum.perSecond() * Settings.LOAD_PERCENT / 100;

    Admin admin = new Admin(server.address().adminPort());
    long startNanos = System.nanoTime();
    int seconds = settings.seconds() + settings.idleSeconds();
    Sampler sampler = new Sampler(server, admin, startNanos, seconds);
    FutureTask<List<Sample>> samples = start("sampler", sampler);
    List<Switch> switches = List.of(
        new Switch("Redis", redis::kill, redis::restart),
        new Switch("MariaDB", database::kill, database::restart));
    FutureTask<List<Outage>> outages = start("outages", () -> restart(switches, admin, startNanos));
    String failure = load(requests, perSecond);
    settle(admin);
    Results.Stores stores = new Results.Stores(join(samples), join(outages));
    long before = warmup.requests() + maximum.requests();
    long admitted = before + sum(Interval::answered);
    long unknown = sum(Interval::closed) + sum(Interval::timedOut);
    Ledger ledger = new Ledger(admitted, unknown, Ledger.count(redis));
    return new Results(
        settings, maximum.perSecond(), perSecond, rows, stores, ledger, server.usage(), failure);
  }

  private Outcome closedLoop(HttpRequests requests) throws IOException {
    Traffic traffic =
        new Traffic(settings.newPerSecond() / ASSUMED_PER_SECOND, settings.identifiers());
    PreparedRequest request = traffic.prepare(requests);
    return LoadGenerator.run(
        Order.unthrottled(settings.maximumMillis()),
        Settings.CLOSED_CONNECTIONS,
        () -> new HttpConnection(requests.server(), request, Refusals.FAIL));
  }

  /** Offers the load; returns the first answer that was an error, or an empty text. */
  private String load(HttpRequests requests, double perSecond) throws IOException {
    Traffic traffic = new Traffic(settings.newPerSecond() / perSecond, settings.identifiers());
    OpenLoad.Order order = new OpenLoad.Order(
        requests.server(),
        traffic.prepare(requests),
        Settings.connections(perSecond),
        Settings.PAUSE_NANOS);
    try (OpenLoad load = new OpenLoad(order)) {
      for (int second = 0; second < settings.seconds(); second += settings.rowSeconds()) {
        double rate = perSecond * settings.loadAt(second);
        rows.add(new Row(second, load.run(settings.rowSeconds() * 1_000L, rate)));
      }
      rows.add(new Row(settings.seconds(), load.drain()));
      return load.firstFailure();
    }
  }

  /** Restarts stores one after the other, in equal parts of the time. */
  private List<Outage> restart(List<Switch> stores, Admin admin, long startNanos)
      throws IOException {
    long partNanos = settings.seconds() * 1_000_000_000L / (stores.size() + 1);
    List<Outage> outages = new ArrayList<>();
    for (Switch store : stores) {
      Threads.sleepUntil(startNanos + (outages.size() + 1) * partNanos);
      outages.add(Outage.of(store, settings.outageSeconds(), startNanos, admin));
    }
    return outages;
  }

  /** Waits until Redis has confirmed all counts. */
  private static void settle(Admin admin) throws IOException {
    long deadlineNanos = System.nanoTime() + SETTLE_MILLIS * 1_000_000;
    while (Sample.of(0, 0, admin.metrics()).unconfirmed() > 0
        && System.nanoTime() - deadlineNanos < 0) {
      Threads.sleep(100);
    }
  }

  private long sum(ToLongFunction<Interval> figure) {
    return rows.stream().map(Row::interval).mapToLong(figure).sum();
  }

  private static <T> FutureTask<T> start(String name, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Threads.daemon(name, task).start();
    return task;
  }

  private static <T> T join(FutureTask<T> task) {
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
