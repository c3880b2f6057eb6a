package io.tidegate.demo;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asks all nodes for their health, starts dead ones again, and reports what changed. Used by one
 * thread.
 */
final class Supervisor {

  /** Long enough to watch the other node take over. */
  static final Duration RESTART_DELAY = Duration.ofSeconds(8);

  /**
   * A store that returns fails some more calls first; a change that lasts for a second is reported.
   */
  private static final int SETTLED_ROUNDS = 4;

  private final Fleet fleet;
  private final Client client;
  private final Events events;

  private final Map<Node, Long> deadSinceNanos = new HashMap<>();

  /** The only node of a region that reads, by region, as last reported. */
  private final Map<String, Node> readers = new HashMap<>();

  /** Whether a store was degraded for some node, by region and store, as last reported. */
  private final Map<String, Boolean> degraded = new HashMap<>();

  /** The rounds since a store differs from what was reported. */
  private final Map<String, Integer> changed = new HashMap<>();

  Supervisor(Fleet fleet, Client client, Events events) {
    this.fleet = fleet;
    this.client = client;
    this.events = events;
  }

  /** One round, which takes at most a second if nodes do not answer. */
  void check() {
    ask();
    for (Region region : fleet.regions()) {
      region.nodes().forEach(this::restartIfDead);
      reportReader(region);
      reportStore(region, "Redis", region.redisFailure().isPresent());
      reportStore(region, "The database", region.databaseFailure().isPresent());
    }
  }

  private void ask() {
    List<CompletableFuture<Void>> answers = fleet
        .nodes()
        .filter(Node::isRunning)
        .map(node -> client.health(node).thenAccept(health -> report(node, health)))
        .toList();
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
  }

  private void report(Node node, @Nullable Health health) {
    boolean restarted = node.wasKilled() && health != null && health.ready();
    node.report(health);
    if (restarted) {
      events.reaction(node + " is ready again and receives requests.");
    }
  }

  private void restartIfDead(Node node) {
    if (node.isRunning()) {
      return;
    }
    node.ended();
    long now = System.nanoTime();
    long found = deadSinceNanos.computeIfAbsent(node, first -> now);
    if (now - found >= RESTART_DELAY.toNanos()) {
      deadSinceNanos.remove(node);
      fleet.launch(node);
      events.reaction(node + " starts again.");
    }
  }

  /**
   * While a store is unavailable there is nothing to report: without Redis every node reads for
   * itself, and without the database the nodes take turns.
   */
  private void reportReader(Region region) {
    List<Node> reading = region.nodes().stream().filter(Node::isReading).toList();
    if (reading.size() != 1 || !region.isRedisRunning() || !region.isConnected()) {
      return;
    }
    Node before = readers.put(region.name(), reading.get(0));
    if (before != null && before != reading.get(0)) {
      events.reaction(reading.get(0) + " reads the counts of other regions for " + region.name()
          + " now, instead of " + before + ".");
    }
  }

  private void reportStore(Region region, String store, boolean failed) {
    String key = region.name() + store;
    boolean before = degraded.computeIfAbsent(key, first -> failed);
    int rounds = before == failed ? 0 : changed.getOrDefault(key, 0) + 1;
    changed.put(key, rounds);
    if (rounds == SETTLED_ROUNDS) {
      degraded.put(key, failed);
      events.reaction(
          failed
              ? store + " is unavailable for " + region.name() + "; decisions continue from memory."
              : store + " is in use in " + region.name() + " again.");
    }
  }
}
