package io.tidegate.benchmarks;

import io.tidegate.benchmarks.GlobalFigures.Spending;
import io.tidegate.testkit.MariaDbServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Offers limits more than they allow, and counts how much gets through; all policies at the same
 * time, each in a database of its own, since what they do is little.
 */
record GlobalSpending(MariaDbServer server, GlobalSettings settings) {

  /** As in the design's table. */
  static final int LIMIT = 1_000;

  /** How many times its limit each series is offered in a window. */
  enum Offer {
    TWICE("even-2x", 2, GlobalFleet.REGIONS),
    TEN_TIMES("even-10x", 10, GlobalFleet.REGIONS),
    ONE_REGION("one-region", 1, 1);

    private final String identifier;
    private final int times;
    private final int regions;

    Offer(String identifier, int times, int regions) {
      this.identifier = identifier;
      this.times = times;
      this.regions = regions;
    }

    int times() {
      return times;
    }

    int regions() {
      return regions;
    }
  }

  List<Spending> measure() {
    Map<GlobalPolicy, Trial> trials = new LinkedHashMap<>();
    try {
      for (GlobalPolicy policy : GlobalPolicy.values()) {
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
   * All trials are asked the same at the same time. From the beginning of a window on: if it were
   * in the midst of one, even a single counter would accept more than the limit in the minute after
   * it, as a sliding window takes the first one to have been used evenly.
   */
  private void spend(List<Trial> trials) {
    SplittableRandom random = new SplittableRandom(42);
    long windowMillis = settings.windowMillis();
    Pause.millis(windowMillis - System.currentTimeMillis() % windowMillis);
    long startNanos = System.nanoTime();
    long[] asked = new long[Offer.values().length];
    double elapsedMillis;
    while ((elapsedMillis = (System.nanoTime() - startNanos) / 1e6) < settings.spendMillis()) {
      for (Offer offer : Offer.values()) {
        double due = elapsedMillis / windowMillis * offer.times * LIMIT;
        for (; asked[offer.ordinal()] < due; asked[offer.ordinal()]++) {
          int region = (int) (asked[offer.ordinal()] % offer.regions);
          int node = GlobalFleet.nodeOf(region, random.nextInt(GlobalFleet.nodesOf(region)));
          trials.forEach(trial -> trial.ask(offer, node));
        }
      }
      Pause.millis(1);
    }
  }

  /** One policy. */
  private final class Trial implements AutoCloseable {

    private final Map<String, LongAdder> rows = new ConcurrentHashMap<>();
    private final Map<Offer, List<Long>> acceptedMillis = new LinkedHashMap<>();
    private final GlobalFleet fleet;

    Trial(GlobalPolicy policy) {
      fleet = new GlobalFleet(
          GlobalDatabase.another(server, policy.name().toLowerCase(Locale.ROOT)),
          policy.policy(),
          Duration.ofMillis(settings.windowMillis()),
          component -> rows.computeIfAbsent(
                  component.cell().series().identifier(), identifier -> new LongAdder())
              .increment());
      for (Offer offer : Offer.values()) {
        acceptedMillis.put(offer, new ArrayList<>());
        rows.put(offer.identifier, new LongAdder());
      }
    }

    void ask(Offer offer, int node) {
      if (fleet.node(node).take(offer.identifier, LIMIT)) {
        acceptedMillis.get(offer).add(System.currentTimeMillis());
      }
    }

    List<Spending> spendings(GlobalPolicy policy) {
      double windows = (double) settings.spendMillis() / settings.windowMillis();
      return Arrays.stream(Offer.values())
          .map(offer -> new Spending(
              policy,
              offer,
              (double) most(acceptedMillis.get(offer), settings.windowMillis()) / LIMIT,
              rows.get(offer.identifier).sum() / windows))
          .toList();
    }

    @Override
    public void close() {
      fleet.close();
    }
  }

  /** The most of these times that any window contains. */
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
