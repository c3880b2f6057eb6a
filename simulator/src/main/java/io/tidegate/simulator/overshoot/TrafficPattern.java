package io.tidegate.simulator.overshoot;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Who asks when, and where: the shapes in which a load comes. */
enum TrafficPattern {
  ONE_REGION("one-region", "one region", "All ask in one region.") {
    @Override
    void plan(RequestSchedule plan) {
      plan.ask(plan.begin(), plan.end(), plan.tokens(), plan.first(1));
    }
  },

  TWO_REGIONS("two-regions", "two regions", "Two regions are asked evenly.") {
    @Override
    void plan(RequestSchedule plan) {
      plan.ask(plan.begin(), plan.end(), plan.tokens(), plan.first(2));
    }
  },

  EVEN("even", "even over all regions", "All regions are asked evenly.") {
    @Override
    void plan(RequestSchedule plan) {
      plan.ask(plan.begin(), plan.end(), plan.tokens(), plan.all());
    }
  },

  ZIPF(
      "zipf",
      "zipf over regions",
      "The second region is asked half as often as the first, the third a third as often, and so on.") {
    @Override
    void plan(RequestSchedule plan) {
      double[] weights = plan.all();
      Arrays.setAll(weights, region -> 1.0 / (region + 1));
      plan.ask(plan.begin(), plan.end(), plan.tokens(), weights);
    }
  },

  JOINS_LATE(
      "joins-late",
      "a region that joins late",
      "One region is asked alone; from the middle of the window on that is half way through, a second has half of the load.") {
    @Override
    void plan(RequestSchedule plan) {
      long half = plan.windowNanos() / 2;
      long joins = plan.begin() + plan.windows() / 2 * plan.windowNanos() + half;
      double alone = plan.tokens() * (joins - plan.begin()) / (plan.end() - plan.begin());
      plan.ask(plan.begin(), joins, alone, plan.first(1));
      plan.ask(joins, plan.end(), plan.tokens() - alone, plan.first(2));
    }
  },

  BURST(
      "burst",
      "a burst",
      "All of a window's load comes within 2 s, ten seconds after its beginning, evenly over all regions.") {
    @Override
    void plan(RequestSchedule plan) {
      for (int i = 0; i < plan.windows(); i++) {
        long from = plan.begin() + i * plan.windowNanos() + SECONDS.toNanos(10);
        plan.ask(from, from + SECONDS.toNanos(2), plan.tokens() / plan.windows(), plan.all());
      }
    }
  },

  ATTACKER(
      "attacker",
      "an attacker",
      "All nodes are asked in turn, denied or not: half of a window's load in its first 2.5 s, the other half in its last.") {
    @Override
    void plan(RequestSchedule plan) {
      long length = TimeUnit.MILLISECONDS.toNanos(2_500);
      double tokens = plan.tokens() / plan.windows() / 2;
      for (int i = 0; i < plan.windows(); i++) {
        long start = plan.begin() + i * plan.windowNanos();
        plan.askInTurn(start, start + length, tokens);
        plan.askInTurn(start + plan.windowNanos() - length, start + plan.windowNanos(), tokens);
      }
    }
  },

  TEN_SECONDS(
      "ten-seconds", "a window of 10 s", "All regions are asked evenly; the limit is for 10 s.") {
    @Override
    long windowSeconds() {
      return 10;
    }

    @Override
    int windows(OvershootSettings settings) {
      return 3 * settings.windows();
    }

    @Override
    void plan(RequestSchedule plan) {
      plan.ask(plan.begin(), plan.end(), plan.tokens(), plan.all());
    }
  },

  /** Of the rest of a day nothing is to be seen: nobody is admitted, or nobody asks. */
  DAY(
      "day",
      "a day's window",
      "The limit is for a day. All that is asked for in a day comes in its first ten minutes (two in a quick run),"
          + " evenly over all regions; only these are simulated.") {
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
    void plan(RequestSchedule plan) {
      plan.ask(plan.begin(), plan.end(), plan.tokens(), plan.all());
    }
  },

  OVERSIZED(
      "oversized",
      "a request that is too large",
      "All regions are asked evenly for half of the limit. One second into each window, one request in one region wants"
          + " more than the whole limit.") {
    @Override
    double ownLoad() {
      return 0.5;
    }

    @Override
    void plan(RequestSchedule plan) {
      plan.ask(plan.begin(), plan.end(), plan.tokens(), plan.all());
      for (int i = 0; i < plan.windows(); i++) {
        plan.askOnce(plan.begin() + i * plan.windowNanos() + SECONDS.toNanos(1), plan.limit() + 1);
      }
    }
  },

  BLEED_IN(
      "bleed-in",
      "the window before",
      "Every other window, one region is asked for 0.8 of the limit, and at the beginning of the next for 0.3 at once,"
          + " which the window before leaves no room for. Then all regions are asked evenly for 0.5 of it.") {
    @Override
    double ownLoad() {
      return 0.65;
    }

    @Override
    void plan(RequestSchedule plan) {
      long limit = plan.limit();
      for (int i = 0; i < plan.windows(); i++) {
        long start = plan.begin() + i * plan.windowNanos();
        if (i % 2 == 0) {
          plan.ask(start, start + plan.windowNanos(), 0.8 * limit, plan.first(1));
        } else {
          plan.askOnce(start + TimeUnit.MILLISECONDS.toNanos(200), (3 * limit + 9) / 10);
          plan.ask(start, start + plan.windowNanos(), 0.5 * limit, plan.all());
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

  /** Its name on the command line. */
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

  /** The load that it has whatever is wanted; 0 if it has any. */
  double ownLoad() {
    return 0;
  }

  /** Says what is asked. */
  abstract void plan(RequestSchedule plan);

  /** What is asked at a load, the same for all policies. */
  RequestSchedule plan(OvershootSettings settings, double load, Random random) {
    RequestSchedule plan = new RequestSchedule(this, settings, load, random);
    plan(plan);
    plan.sort();
    return plan;
  }
}
