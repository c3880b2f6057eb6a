package io.tidegate.demo;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Records once per second what was admitted and what each region believes. One thread calls
 * {@link #sample}; any thread may read the rates.
 */
final class Sampler {

  /** Rates are means over as many seconds, so that figures can be read. */
  private static final int RATE_SECONDS = 3;

  /** Requests per second by outcome. */
  record Rates(double requests, double admitted, double denied, double degraded) {}

  private record Point(long nanos, Traffic.Totals totals) {}

  private final Fleet fleet;
  private final Client client;
  private final Traffic traffic;
  private final Reference reference;
  private final Deque<Point> points = new ArrayDeque<>();
  private volatile Rates rates = new Rates(0, 0, 0, 0);

  Sampler(Fleet fleet, Client client, Traffic traffic, Reference reference) {
    this.fleet = fleet;
    this.client = client;
    this.traffic = traffic;
    this.reference = reference;
  }

  void sample() {
    for (User user : traffic.users()) {
      List<CompletableFuture<@Nullable Long>> beliefs =
          fleet.regions().stream().map(region -> belief(region, user)).toList();
      List<@Nullable Long> counts = new ArrayList<>();
      beliefs.forEach(belief -> counts.add(belief.join()));
      user.sample(System.currentTimeMillis(), counts);
    }
    reference.dropRecords();
    updateRates();
  }

  /** The count of one live node; it shares its counts with the others of its region. */
  private CompletableFuture<@Nullable Long> belief(Region region, User user) {
    return region.nodes().stream()
        .filter(Node::isReady)
        .findFirst()
        .map(node -> client.count(node, user.name()).<@Nullable Long>thenApply(count -> count))
        .orElseGet(() -> CompletableFuture.completedFuture(null))
        .exceptionally(failure -> null);
  }

  private void updateRates() {
    Point now = new Point(System.nanoTime(), traffic.totals());
    points.add(now);
    if (points.size() > RATE_SECONDS + 1) {
      points.remove();
    }
    Point first = points.element();
    double seconds = (now.nanos - first.nanos) / 1e9;
    if (seconds > 0) {
      rates = new Rates(
          (now.totals.requests() - first.totals.requests()) / seconds,
          (now.totals.admitted() - first.totals.admitted()) / seconds,
          (now.totals.denied() - first.totals.denied()) / seconds,
          (now.totals.degraded() - first.totals.degraded()) / seconds);
    }
  }

  Rates rates() {
    return rates;
  }
}
