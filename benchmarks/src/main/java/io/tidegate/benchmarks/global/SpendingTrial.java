package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.global.Results.Spending;
import io.tidegate.benchmarks.load.Pause;
import io.tidegate.testkit.MariaDbServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Requests more than a limit allows, and counts the admitted tokens. All policies run at the same
 * time, each with a database of its own, because their load is small.
 */
record SpendingTrial(MariaDbServer server, Settings settings) {

  /** As in the table of the design. */
  static final int LIMIT = 1_000;

  /** Requests of a series per window, as a multiple of its limit. */
  enum Offer {
    TWICE("offered 2x", 2, Fleet.REGIONS),
    TEN_TIMES("offered 10x", 10, Fleet.REGIONS),
    ONE_REGION("one region", 1, 1);

    private final String label;
    private final int times;
    private final int regions;

    Offer(String label, int times, int regions) {
      this.label = label;
      this.times = times;
      this.regions = regions;
    }

    String label() {
      return label;
    }

    int times() {
      return times;
    }

    int regions() {
      return regions;
    }

    /** The target of the default policy, from the table of the design. */
    OptionalDouble mostTimesLimit() {
      return switch (this) {
        case TWICE -> OptionalDouble.of(1.06);
        case TEN_TIMES -> OptionalDouble.of(1.3);
        case ONE_REGION -> OptionalDouble.empty();
      };
    }
  }

  List<Spending> measure() {
    Map<Policy, Trial> trials = new EnumMap<>(Policy.class);
    try {
      for (Policy policy : Policy.values()) {
        trials.put(policy, new Trial(policy));
      }
      spend(List.copyOf(trials.values()));
      List<Spending> spendings = new ArrayList<>();
      trials.forEach((policy, trial) -> spendings.addAll(trial.spendings(policy)));
      return spendings;
    } finally {
      trials.values().forEach(Trial::close);
    }
  }

  /**
   * Sends the same requests to all trials at the same time, from the beginning of a window. If it
   * began within a window, even a single counter would overshoot, because a sliding window assumes
   * that the previous window was used evenly.
   */
  private void spend(List<Trial> trials) {
    SplittableRandom random = new SplittableRandom(42);
    long windowMillis = settings.windowMillis();
    Pause.millis(windowMillis - System.currentTimeMillis() % windowMillis);
    long startNanos = System.nanoTime();
    Map<Offer, Long> sent = new EnumMap<>(Offer.class);
    double elapsedMillis;
    while ((elapsedMillis = (System.nanoTime() - startNanos) / 1e6) < settings.spendMillis()) {
      for (Offer offer : Offer.values()) {
        double due = elapsedMillis / windowMillis * offer.times * LIMIT;
        long next = sent.getOrDefault(offer, 0L);
        for (; next < due; next++) {
          int region = (int) (next % offer.regions);
          int node = Fleet.nodeOf(region, random.nextInt(Fleet.nodesOf(region)));
          trials.forEach(trial -> trial.request(offer, node));
        }
        sent.put(offer, next);
      }
      Pause.millis(1);
    }
  }

  /** A fleet with one policy. */
  private final class Trial implements AutoCloseable {

    private final Map<String, LongAdder> rows = new ConcurrentHashMap<>();
    private final Map<Offer, List<Long>> admittedMillis = new EnumMap<>(Offer.class);
    private final Fleet fleet;

    Trial(Policy policy) {
      fleet = new Fleet(
          Database.another(server, policy.name().toLowerCase(Locale.ROOT)),
          policy.policy(),
          Duration.ofMillis(settings.windowMillis()),
          component -> rows.computeIfAbsent(
                  component.cell().series().identifier(), identifier -> new LongAdder())
              .increment());
    }

    void request(Offer offer, int node) {
      if (fleet.node(node).take(offer.label, LIMIT)) {
        admittedMillis
            .computeIfAbsent(offer, first -> new ArrayList<>())
            .add(System.currentTimeMillis());
      }
    }

    List<Spending> spendings(Policy policy) {
      double windows = (double) settings.spendMillis() / settings.windowMillis();
      return Arrays.stream(Offer.values())
          .map(offer -> new Spending(
              policy,
              offer,
              (double) most(admittedMillis.getOrDefault(offer, List.of()), settings.windowMillis())
                  / LIMIT,
              rows.getOrDefault(offer.label, new LongAdder()).sum() / windows))
          .toList();
    }

    @Override
    public void close() {
      fleet.close();
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
