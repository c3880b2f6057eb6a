package io.tidegate.simulator.overshoot;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** The places and times of requests. */
enum TrafficPattern {
  ONE_REGION("one-region", "one region", "All requests come in one region.") {
    @Override
    void draw(RequestSchedule schedule) {
      drawEvenly(schedule, schedule.first(1));
    }
  },

  TWO_REGIONS("two-regions", "two regions", "Requests come evenly in two regions.") {
    @Override
    void draw(RequestSchedule schedule) {
      drawEvenly(schedule, schedule.first(2));
    }
  },

  EVEN("even", "even over all regions", "Requests come evenly in all regions.") {
    @Override
    void draw(RequestSchedule schedule) {
      drawEvenly(schedule, schedule.all());
    }
  },

  ZIPF(
      "zipf",
      "zipf over regions",
      "The second region receives half as many requests as the first, the third a third, and so on.") {
    @Override
    void draw(RequestSchedule schedule) {
      double[] weights = schedule.all();
      Arrays.setAll(weights, region -> 1.0 / (region + 1));
      drawEvenly(schedule, weights);
    }
  },

  JOINS_LATE(
      "joins-late",
      "a region that joins late",
      "One region receives all requests. Half way through the run, in the middle of a window, a second region takes"
          + " over half of them.") {
    @Override
    void draw(RequestSchedule schedule) {
      long half = schedule.windowNanos() / 2;
      long joins = schedule.begin() + schedule.windows() / 2 * schedule.windowNanos() + half;
      double alone =
          schedule.tokens() * (joins - schedule.begin()) / (schedule.end() - schedule.begin());
      schedule.add(schedule.begin(), joins, alone, schedule.first(1));
      schedule.add(joins, schedule.end(), schedule.tokens() - alone, schedule.first(2));
    }
  },

  BURST(
      "burst",
      "a burst",
      "All requests of a window come within 2 s, ten seconds after its start, evenly in all regions.") {
    @Override
    void draw(RequestSchedule schedule) {
      for (int i = 0; i < schedule.windows(); i++) {
        long from = schedule.begin() + i * schedule.windowNanos() + SECONDS.toNanos(10);
        schedule.add(
            from,
            from + SECONDS.toNanos(2),
            schedule.tokens() / schedule.windows(),
            schedule.all());
      }
    }
  },

  ATTACKER(
      "attacker",
      "an attacker",
      "Requests go to all nodes in turn, allowed or not: half of those of a window in its first 2.5 s, the other half"
          + " in its last.") {
    @Override
    void draw(RequestSchedule schedule) {
      long length = TimeUnit.MILLISECONDS.toNanos(2_500);
      long window = schedule.windowNanos();
      double tokens = schedule.tokens() / schedule.windows() / 2;
      for (int i = 0; i < schedule.windows(); i++) {
        long start = schedule.begin() + i * window;
        schedule.addInTurn(start, start + length, tokens);
        schedule.addInTurn(start + window - length, start + window, tokens);
      }
    }
  },

  TEN_SECONDS(
      "ten-seconds",
      "a window of 10 s",
      "Requests come evenly in all regions; the window of the limit is 10 s.") {
    @Override
    long windowSeconds() {
      return 10;
    }

    @Override
    int windows(OvershootSettings settings) {
      return 3 * settings.windows();
    }

    @Override
    void draw(RequestSchedule schedule) {
      drawEvenly(schedule, schedule.all());
    }
  },

  /** After these minutes all requests of the day would be denied, or there would be none. */
  DAY(
      "day",
      "a day's window",
      "The window of the limit is a day. All requests of the day come in its first ten minutes (two with --quick),"
          + " evenly in all regions; only these minutes are simulated.") {
    @Override
    long windowSeconds() {
      return TimeUnit.DAYS.toSeconds(1);
    }

    @Override
    int windows(OvershootSettings settings) {
      return 1;
    }

    @Override
    long lengthSeconds(OvershootSettings settings) {
      return TimeUnit.MINUTES.toSeconds(settings.quick() ? 2 : 10);
    }

    @Override
    void draw(RequestSchedule schedule) {
      drawEvenly(schedule, schedule.all());
    }
  },

  OVERSIZED(
      "oversized",
      "an oversized request",
      "Requests for half of the limit come evenly in all regions. One second into each window, one request in one"
          + " region wants more than the whole limit.") {
    @Override
    double fixedLoad() {
      return 0.5;
    }

    @Override
    void draw(RequestSchedule schedule) {
      drawEvenly(schedule, schedule.all());
      for (int i = 0; i < schedule.windows(); i++) {
        long start = schedule.begin() + i * schedule.windowNanos();
        schedule.addSingle(start + SECONDS.toNanos(1), schedule.limit() + 1);
      }
    }
  },

  BLEED_IN(
      "bleed-in",
      "the previous window",
      "In every other window, one region receives requests for 0.8 of the limit. At the start of the next window it"
          + " receives one request for 0.3 of the limit, for which the previous window leaves no headroom; then requests"
          + " for 0.5 of the limit come evenly in all regions.") {
    @Override
    double fixedLoad() {
      return 0.65;
    }

    @Override
    void draw(RequestSchedule schedule) {
      long limit = schedule.limit();
      for (int i = 0; i < schedule.windows(); i++) {
        long start = schedule.begin() + i * schedule.windowNanos();
        long end = start + schedule.windowNanos();
        if (i % 2 == 0) {
          schedule.add(start, end, 0.8 * limit, schedule.first(1));
        } else {
          schedule.addSingle(start + TimeUnit.MILLISECONDS.toNanos(200), (3 * limit + 9) / 10);
          schedule.add(start, end, 0.5 * limit, schedule.all());
        }
      }
    }
  };

  private static final TimeUnit SECONDS = TimeUnit.SECONDS;

  private final String option;
  private final String label;
  private final String description;

  TrafficPattern(String option, String label, String description) {
    this.option = option;
    this.label = label;
    this.description = description;
  }

  /** The name on the command line. */
  String option() {
    return option;
  }

  String label() {
    return label;
  }

  String description() {
    return description;
  }

  long windowSeconds() {
    return 60;
  }

  int windows(OvershootSettings settings) {
    return settings.windows();
  }

  long lengthSeconds(OvershootSettings settings) {
    return windows(settings) * windowSeconds();
  }

  /** Whether the pattern determines the load, instead of the settings. */
  boolean hasFixedLoad() {
    return fixedLoad() > 0;
  }

  /** The load of a pattern that determines it; otherwise 0. */
  double fixedLoad() {
    return 0;
  }

  /** Adds the requests of this pattern to a schedule. */
  abstract void draw(RequestSchedule schedule);

  private static void drawEvenly(RequestSchedule schedule, double[] weights) {
    schedule.add(schedule.begin(), schedule.end(), schedule.tokens(), weights);
  }
}
