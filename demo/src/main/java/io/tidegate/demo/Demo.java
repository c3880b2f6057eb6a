package io.tidegate.demo;

import io.tidegate.testkit.Waiting;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The whole demo: servers, traffic and page. Closing it ends everything that it started. */
final class Demo implements AutoCloseable {

  /** Six JVMs that start at once on two processors take some seconds; the rest is for busy ones. */
  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

  private static final int TICK_MILLIS = 10;
  private static final int CHECK_MILLIS = 250;
  private static final int SAMPLE_MILLIS = 1_000;

  /** Figures of a whole run; counts as multiples of the limit. */
  record Summary(
      Traffic.Totals totals,
      double mostAdmitted,
      double mostOfReference,
      int faults,
      @Nullable String lastFailure) {}

  private final Consumer<String> progress;
  private final Fleet fleet = new Fleet();
  private final Events events = new Events();
  private final Client client = new Client(fleet.rootKey());
  private final Reference reference = new Reference(Fleet.REGIONS, Fleet.NODES_PER_REGION);
  private final Traffic traffic = new Traffic(fleet, client, reference);
  private final Sampler sampler = new Sampler(fleet, client, traffic, reference);
  private final Supervisor supervisor = new Supervisor(fleet, client, events);
  private final Actions actions = new Actions(fleet, traffic, events);

  /** One thread for requests, and one each for the other two, which may wait for nodes. */
  private final List<ScheduledExecutorService> threads =
      List.of(thread("demo-traffic"), thread("demo-supervisor"), thread("demo-sampler"));

  private volatile @Nullable Page page;

  /**
   * Creates a demo that has not started.
   *
   * @param progress receives a line for each step of the start
   */
  Demo(Consumer<String> progress) {
    this.progress = progress;
  }

  private static ScheduledExecutorService thread(String name) {
    return Executors.newSingleThreadScheduledExecutor(task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    });
  }

  /**
   * Starts everything, and returns the address of the page when requests are being sent.
   *
   * @param port the port of the page; null for the default
   * @throws RuntimeException if a part does not start; {@link #close} ends the others
   */
  URI start(@Nullable Integer port) {
    State state = new State(fleet, traffic, sampler, client, actions, events);
    Page opened = Page.open(port, state::json, actions);
    page = opened;
    step("starting MariaDB", fleet::startDatabase);
    step(
        "starting Redis in " + String.join(", ", Fleet.REGIONS),
        () -> Fleet.REGIONS.forEach(fleet::startRegion));
    step("starting six nodes", this::startNodes);
    state.started(client.hasConsole(fleet.nodes().findFirst().orElseThrow()).join());
    every(threads.get(0), TICK_MILLIS, traffic::tick);
    every(threads.get(1), CHECK_MILLIS, supervisor::check);
    every(threads.get(2), SAMPLE_MILLIS, sampler::sample);
    return opened.uri();
  }

  private void step(String what, Runnable step) {
    long startNanos = System.nanoTime();
    step.run();
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    progress.accept(String.format(Locale.ROOT, "%s ... %.1f s", what, seconds));
  }

  private void startNodes() {
    List<Node> nodes = fleet.nodes().toList();
    nodes.forEach(fleet::launch);
    if (!Waiting.until(START_TIMEOUT, () -> {
      supervisor.check();
      return nodes.stream().allMatch(this::hasStarted) && reference.isReady();
    })) {
      throw new IllegalStateException("not all nodes started within " + START_TIMEOUT.toMinutes()
          + " minutes; the logs are in " + fleet.logs());
    }
  }

  /** A node that is ready may not have read the root key yet. */
  private boolean hasStarted(Node node) {
    if (!node.isRunning()) {
      throw new IllegalStateException(node + " does not start:\n" + node.logTail());
    }
    return node.isReady()
        && client
            .count(node, "first")
            .handle((count, failure) -> failure == null)
            .join();
  }

  /** Runs a task until it is closed; a failed run is printed, and the next one follows. */
  @SuppressWarnings("FutureReturnValueIgnored") // ends with the executor
  private static void every(ScheduledExecutorService thread, int millis, Runnable task) {
    thread.scheduleWithFixedDelay(
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            if (!thread.isShutdown()) {
              System.err.println("tidegate: " + e);
            }
          }
        },
        0,
        millis,
        TimeUnit.MILLISECONDS);
  }

  Summary summary() {
    return new Summary(
        traffic.totals(),
        User.timesLimit(traffic.roaming().admitted().most()),
        User.timesLimit(traffic.roaming().reference().most()),
        actions.faults(),
        traffic.lastFailure());
  }

  /** Stops the traffic first, so that no request fails because of the end. */
  @Override
  public void close() {
    threads.forEach(ScheduledExecutorService::shutdownNow);
    traffic.awaitAnswers();
    Page opened = page;
    if (opened != null) {
      opened.close();
    }
    fleet.close();
    reference.close();
  }
}
