package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.global.Results.Overshoot;
import io.tidegate.benchmarks.load.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Requests more than a limit allows, and counts the admitted tokens. All policies run at the same
 * time, each with a database of its own, because their load is small.
 */
record OvershootTrial(Database database, int windowMillis) {

  /** As in the table of the design. */
  static final int LIMIT = 1_000;

  /** Length of a trial: beyond the end of a window. */
  static final double WINDOWS = 1.5;

  /** Requests of a series per window, as a multiple of its limit, evenly over some regions. */
  enum Offer {
    TWICE("offered 2x", 2, Fleet.REGIONS),
    TEN_TIMES("offered 10x", 10, Fleet.REGIONS),
    ONE_REGION("one region", 1, 1);

    final String label;
    private final int times;
    private final int regions;

    Offer(String label, int times, int regions) {
      this.label = label;
      this.times = times;
      this.regions = regions;
    }
  }

  List<Overshoot> measure() {
    List<Trial> trials = new ArrayList<>();
    try {
      for (Policy policy : Policy.values()) {
        trials.add(new Trial(policy));
      }
      send(trials);
      return trials.stream()
          .flatMap(trial -> Stream.of(Offer.values()).map(trial::overshoot))
          .toList();
    } finally {
      trials.forEach(trial -> trial.fleet.close());
    }
  }

  /**
   * Sends the same requests to all trials at the same time, from the beginning of a window. If it
   * began within a window, even a single counter would overshoot, because a sliding window assumes
   * that the previous window was used evenly.
   */
  private void send(List<Trial> trials) {
    SplittableRandom random = new SplittableRandom(42);
    Threads.sleep(windowMillis - System.currentTimeMillis() % windowMillis);
    long startNanos = System.nanoTime();
    Map<Offer, Long> sent = new EnumMap<>(Offer.class);
    double windows;
    while ((windows = (System.nanoTime() - startNanos) / 1e6 / windowMillis) < WINDOWS) {
      for (Offer offer : Offer.values()) {
        long next = sent.getOrDefault(offer, 0L);
        for (; next < windows * offer.times * LIMIT; next++) {
          int node = Fleet.randomNode((int) (next % offer.regions), random);
          trials.forEach(trial -> trial.request(offer, node));
        }
        sent.put(offer, next);
      }
      Threads.sleep(1);
    }
  }

  /** A fleet with one policy. */
  private final class Trial {

    private final Policy policy;
    private final Map<String, Integer> rows = new ConcurrentHashMap<>();
    private final Map<Offer, List<Long>> admittedMillis = new EnumMap<>(Offer.class);
    private final Fleet fleet;

    Trial(Policy policy) {
      this.policy = policy;
      String jdbcUrl = database.another(policy.name().toLowerCase(Locale.ROOT));
      Duration window = Duration.ofMillis(windowMillis);
      this.fleet = new Fleet(jdbcUrl, policy.policy, window, row -> {
        rows.merge(row.cell().series().identifier(), 1, Integer::sum);
      });
    }

    void request(Offer offer, int node) {
      if (fleet.node(node).gate.take(offer.label, LIMIT, 1)) {
        List<Long> admitted = admittedMillis.computeIfAbsent(offer, first -> new ArrayList<>());
        admitted.add(System.currentTimeMillis());
      }
    }

    Overshoot overshoot(Offer offer) {
      double timesLimit =
          (double) most(admittedMillis.getOrDefault(offer, List.of()), windowMillis) / LIMIT;
      return new Overshoot(policy, offer, timesLimit, rows.getOrDefault(offer.label, 0) / WINDOWS);
    }
  }

  /** The highest number of these times within any window. */
  static int most(List<Long> millis, long windowMillis) {
    int most = 0;
    int first = 0;
    for (int last = 0; last < millis.size(); last++) {
      while (millis.get(last) - millis.get(first) >= windowMillis) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }
}
