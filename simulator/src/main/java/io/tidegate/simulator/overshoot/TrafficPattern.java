package io.tidegate.simulator.overshoot;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The places and times of requests. */
enum TrafficPattern {
  ONE_REGION(
      "one region",
      "All requests come in one region.",
      schedule -> schedule.addAll(schedule.first(1))),

  TWO_REGIONS(
      "two regions",
      "Requests come evenly in two regions.",
      schedule -> schedule.addAll(schedule.first(2))),

  EVEN(
      "even over all regions",
      "Requests come evenly in all regions.",
      schedule -> schedule.addAll(schedule.all())),

  ZIPF(
      "zipf over regions",
      "The second region receives half as many requests as the first, the third a third, and so on.",
      schedule -> {
        double[] weights = schedule.all();
        Arrays.setAll(weights, region -> 1.0 / (region + 1));
        schedule.addAll(weights);
      }),

  JOINS_LATE(
      "a region that joins late",
      "One region receives all requests. Half way through the run, in the middle of a window, a second region takes"
          + " over half of them.",
      schedule -> {
        long joins = schedule.start(schedule.windows / 2) + schedule.windowNanos / 2;
        double alone = schedule.tokens * (joins - schedule.begin) / (schedule.end - schedule.begin);
        schedule.add(schedule.begin, joins, alone, schedule.first(1));
        schedule.add(joins, schedule.end, schedule.tokens - alone, schedule.first(2));
      }),

  BURST(
      "a burst",
      "All requests of a window come within 2 s, ten seconds after its start, evenly in all regions.",
      schedule -> {
        double tokens = schedule.tokens / schedule.windows;
        for (int i = 0; i < schedule.windows; i++) {
          long from = schedule.start(i) + TimeUnit.SECONDS.toNanos(10);
          schedule.add(from, from + TimeUnit.SECONDS.toNanos(2), tokens, schedule.all());
        }
      }),

  ATTACKER(
      "an attacker",
      "Requests go to all nodes in turn, allowed or not: half of those of a window in its first 2.5 s, the other half"
          + " in its last.",
      schedule -> {
        long length = TimeUnit.MILLISECONDS.toNanos(2_500);
        double tokens = schedule.tokens / schedule.windows / 2;
        for (int i = 0; i < schedule.windows; i++) {
          schedule.addInTurn(schedule.start(i), schedule.start(i) + length, tokens);
          schedule.addInTurn(schedule.start(i + 1) - length, schedule.start(i + 1), tokens);
        }
      }),

  TEN_SECONDS(
      "a window of 10 s",
      "Requests come evenly in all regions; the window of the limit is 10 s.",
      schedule -> schedule.addAll(schedule.all())),

  DAY(
      "a day's window",
      "The window of the limit is a day. All requests of the day come in its first ten minutes (two with --quick),"
          + " evenly in all regions; only these minutes are simulated.",
      schedule -> schedule.addAll(schedule.all())),

  OVERSIZED(
      "an oversized request",
      "Requests for half of the limit come evenly in all regions. One second into each window, one request in one"
          + " region wants more than the whole limit.",
      schedule -> {
        schedule.addAll(schedule.all());
        for (int i = 0; i < schedule.windows; i++) {
          schedule.addSingle(schedule.start(i) + TimeUnit.SECONDS.toNanos(1), schedule.limit + 1);
        }
      }),

  BLEED_IN(
      "the previous window",
      "In every other window, one region receives requests for 0.8 of the limit. At the start of the next window it"
          + " receives one request for 0.3 of the limit, for which the previous window leaves no headroom; then requests"
          + " for 0.5 of the limit come evenly in all regions.",
      schedule -> {
        long limit = schedule.limit;
        for (int i = 0; i < schedule.windows; i++) {
          long start = schedule.start(i);
          if (i % 2 == 0) {
            schedule.add(start, schedule.start(i + 1), 0.8 * limit, schedule.first(1));
          } else {
            schedule.addSingle(start + TimeUnit.MILLISECONDS.toNanos(200), (3 * limit + 9) / 10);
            schedule.add(start, schedule.start(i + 1), 0.5 * limit, schedule.all());
          }
        }
      });

  final String label;
  final String description;

  /** Adds the requests of this pattern to a schedule. */
  @SuppressWarnings("ImmutableEnumChecker") // has no state
  final Consumer<RequestSchedule> requests;

  TrafficPattern(String label, String description, Consumer<RequestSchedule> requests) {
    this.label = label;
    this.description = description;
    this.requests = requests;
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean hasFixedLoad() {
    return this == OVERSIZED || this == BLEED_IN;
  }

  /** The loads to simulate: those of the settings, or the one that the pattern determines. */
  List<Double> loads(OvershootSettings settings) {
    return hasFixedLoad() ? List.of(this == OVERSIZED ? 0.5 : 0.65) : settings.loads();
  }
}
