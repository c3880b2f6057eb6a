package io.tidegate.server.fleet;

import io.tidegate.catalog.NodeReport;
import io.tidegate.catalog.NodeReports;
import io.tidegate.server.log.Log;
import io.tidegate.server.log.RootCause;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of all regions. Stores the description of this node in the database every ten seconds,
 * and every second while someone looks at the fleet; reads those of the other nodes only then.
 *
 * <p>One thread calls the database, and another ends the intervals of this node's rates, so that a
 * database that does not answer does not delay them. Any thread may read the last result. A failing
 * database leaves the last reports in place, with their age.
 */
public final class Fleet implements AutoCloseable {

  private static final Duration TICK = Duration.ofSeconds(1);

  /** Bounds the load on the database while no console is open: one small row per node. */
  private static final int TICKS_BETWEEN_REPORTS = 10;

  /** How often a node finds out that someone has begun to look. */
  private static final int TICKS_BETWEEN_CHECKS = 2;

  private static final int TICKS_BETWEEN_CLEANUPS = 60;

  /** How long a look counts: consoles repeat it every {@link #TICKS_BETWEEN_CHECKS}. */
  private static final Duration WATCH = Duration.ofSeconds(10);

  /** Bounds the report of a node whose clients use very long names. */
  private static final int MAX_REPORT_LENGTH = 100_000;

  /** Longer than the time between two reports. */
  private static final Duration GONE = Duration.ofSeconds(13);

  /** Bounds the stop of a node while the database does not answer. */
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

  /** How long a node that was killed is shown. */
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  /** The other nodes by the last read, and the failure of the last call. */
  private record View(
      List<JsonObject> others, long readNanos, @Nullable String failure) {}

  private final @Nullable NodeReports reports;
  private final NodeStatus status;
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2, task -> {
    Thread worker = new Thread(task, "tidegate-fleet");
    worker.setDaemon(true);
    return worker;
  });

  /** Whether this node has stored a report, so that there is one to remove. */
  private volatile boolean reported;

  private volatile View view = new View(List.of(), System.nanoTime() - WATCH.toNanos(), null);
  private volatile long watchedNanos = System.nanoTime() - WATCH.toNanos();

  /** Ticks of the exchange with the database. Guarded by this, as the next. */
  private long ticks;

  private boolean othersWatch;

  /** When the last interval ended. Used by {@link #endInterval} only. */
  private long endedNanos = System.nanoTime();

  /**
   * Creates a fleet that is not followed yet.
   *
   * @param reports where nodes report; null if this node has no database, and is alone
   * @param status the description of this node
   */
  public Fleet(@Nullable NodeReports reports, NodeStatus status) {
    this.reports = reports;
    this.status = status;
  }

  /** Starts to report. */
  public void start() {
    every(this::endInterval);
    if (reports != null) {
      every(() -> exchangeOrFail(reports));
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the tasks catch everything
  private void every(Runnable task) {
    threads.scheduleWithFixedDelay(task, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void endInterval() {
    long now = System.nanoTime();
    try {
      status.endInterval(Duration.ofNanos(now - endedNanos));
    } catch (RuntimeException | Error e) { // one that escaped would end all later intervals
      Log.error("cannot compute the rates of this node; will try again", e);
    }
    endedNanos = now;
  }

  private synchronized void exchangeOrFail(NodeReports all) {
    try {
      exchange(all);
      succeeded();
    } catch (SQLException e) {
      failed(RootCause.message(e));
    } catch (RuntimeException | Error e) { // one that escaped would end all later ticks
      Log.error("cannot report this node to the fleet; will try again", e);
      failed(RootCause.message(e));
    }
  }

  private void exchange(NodeReports all) throws SQLException {
    long tick = ticks++;
    boolean watched = isWatched();
    if (tick % TICKS_BETWEEN_CHECKS == 0) {
      if (watched) {
        all.watch();
      }
      othersWatch = watched || all.isWatched(WATCH);
    }
    if (othersWatch || tick % TICKS_BETWEEN_REPORTS == 0) {
      all.put(status.node(), status.region(), report());
      reported = true;
    }
    if (tick % TICKS_BETWEEN_CLEANUPS == 0) {
      all.removeOlderThan(FORGOTTEN);
    }
    if (watched) {
      view = new View(others(all.list()), System.nanoTime(), null);
    }
  }

  /** The description of this node; of namespaces as many as fit, the busiest ones. */
  private String report() {
    JsonObject description = status.describe();
    JsonArray namespaces = description.getJsonArray("namespaces");
    String report = description.encode();
    while (report.length() > MAX_REPORT_LENGTH && !namespaces.isEmpty()) {
      namespaces.remove(namespaces.size() - 1);
      report = description.encode();
    }
    return report;
  }

  private List<JsonObject> others(List<NodeReport> all) {
    List<JsonObject> others = new ArrayList<>();
    for (NodeReport report : all) {
      if (!report.node().equals(status.node())) {
        others.add(parse(report));
      }
    }
    return List.copyOf(others);
  }

  /** Accepts reports of other versions: what is missing in them is missing in the view. */
  private static JsonObject parse(NodeReport report) {
    JsonObject content;
    try {
      content = new JsonObject(report.content());
      NamespaceTable.of(List.of(content)); // fails here rather than for those who look
    } catch (DecodeException | ClassCastException | NullPointerException e) {
      Log.debug(
          "cannot read the report of a node", "node", report.node(), "reason", e.getMessage());
      content = new JsonObject().put("state", "unknown");
    }
    return content
        .put("region", report.region())
        .put("name", report.node())
        .put("ageMillis", report.ageMillis());
  }

  private void succeeded() {
    View last = view;
    if (last.failure != null) {
      view = new View(last.others, last.readNanos, null);
      Log.info("nodes report to the database again");
    }
  }

  private void failed(String reason) {
    View last = view;
    if (last.failure == null && !threads.isShutdown()) {
      Log.warn(
          "cannot report this node to the database; consoles show it as gone until this works again",
          "reason",
          reason);
    }
    view = new View(last.others, last.readNanos, reason);
  }

  private boolean isWatched() {
    return System.nanoTime() - watchedNanos < WATCH.toNanos();
  }

  /** The nodes and their namespaces, for someone who looks at them now. */
  public JsonObject look() {
    watchedNanos = System.nanoTime();
    View last = view;
    long sinceReadMillis =
        TimeUnit.NANOSECONDS.toMillis(Math.max(0, watchedNanos - last.readNanos));
    boolean known = sinceReadMillis < WATCH.toMillis() || last.failure != null;
    List<JsonObject> nodes = new ArrayList<>();
    nodes.add(status.describe().put("ageMillis", 0L));
    for (JsonObject other : known ? last.others : List.<JsonObject>of()) {
      nodes.add(aged(other.copy(), sinceReadMillis));
    }
    JsonArray namespaces = NamespaceTable.of(nodes.stream()
        .filter(node -> !node.getString("state", "").equals("gone"))
        .toList());
    JsonArray shown = new JsonArray();
    for (JsonObject node : nodes) {
      node.remove("namespaces");
      shown.add(node);
    }
    JsonObject fleet = new JsonObject().put("status", status(last, known));
    if (last.failure != null) {
      fleet.put("reason", last.failure);
    }
    return new JsonObject()
        .put("node", status.identity())
        .put("fleet", fleet)
        .put("nodes", shown)
        .put("namespaces", namespaces);
  }

  /** "reading" at the first look after a while: other nodes are shown in a moment. */
  private String status(View last, boolean known) {
    if (reports == null) {
      return "alone";
    }
    if (last.failure != null) {
      return "unavailable";
    }
    return known ? "ok" : "reading";
  }

  private static JsonObject aged(JsonObject node, long moreMillis) {
    long age = node.getLong("ageMillis") + moreMillis;
    node.put("ageMillis", age);
    return age > GONE.toMillis() ? node.put("state", "gone") : node;
  }

  /** Stops reporting, and removes the report of this node, so that consoles do not miss it. */
  @Override
  public void close() {
    if (reports != null && reported && view.failure == null) {
      threads.execute(() -> remove(reports));
    }
    threads.shutdown(); // ends what is periodic; the removal still runs
    try {
      if (!threads.awaitTermination(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Not while this node is reporting, which would store the report again. */
  private synchronized void remove(NodeReports all) {
    try {
      all.remove(status.node());
    } catch (SQLException e) {
      Log.debug("cannot remove the report of this node", "reason", RootCause.message(e));
    }
  }
}
