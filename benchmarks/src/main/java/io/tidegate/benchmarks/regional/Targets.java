package io.tidegate.benchmarks.regional;

import static io.tidegate.benchmarks.regional.Contender.BUCKET4J;
import static io.tidegate.benchmarks.regional.Contender.PER_REQUEST;
import static io.tidegate.benchmarks.regional.Contender.TIDEGATE;
import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.benchmarks.regional.Results.Load;
import io.tidegate.benchmarks.regional.Results.Overshoot;
import io.tidegate.benchmarks.regional.Results.Pace;
import io.tidegate.benchmarks.regional.Results.Tally;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Judges the results by the targets of this benchmark. */
record Targets(Results results) {

  private static final int LAG_MILLIS = 50;
  private static final int TIMES_BUCKET4J = 10;

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    targets.add(lag());
    List.<Function<Integer, Target>>of(this::messages, this::throughput, this::lost)
        .forEach(
            target -> results.settings().keys().forEach(keys -> targets.add(target.apply(keys))));
    return targets;
  }

  private Target lag() {
    Spread p99 = lagP99(TIDEGATE);
    return new Target(
        "lag p99 at most " + LAG_MILLIS + " ms",
        p99.median() <= LAG_MILLIS,
        FIGURE.of(p99) + " ms");
  }

  private Spread lagP99(Contender contender) {
    return results.lags(contender).of(lag -> lag.millis().p99());
  }

  private Target messages(int keys) {
    Rounds<Load> ours = results.loads(keys, TIDEGATE);
    Spread share = ours.of(load -> load.messagesPerSecond() / load.mostMessagesPerSecond());
    return new Target(
        COUNT.of(keys) + " keys: at most one message per cell, node and tick",
        share.max() <= 1,
        "%s messages/s of at most %s; %s commands/s"
            .formatted(
                MANY.of(ours.of(Load::messagesPerSecond)),
                MANY.of(ours.of(Load::mostMessagesPerSecond).median()),
                MANY.of(ours.of(Load::commandsPerSecond))));
  }

  private Target throughput(int keys) {
    Spread times = timesFewer(keys, BUCKET4J);
    return new Target(
        "%s keys: at least %dx the decisions of bucket4j".formatted(COUNT.of(keys), TIMES_BUCKET4J),
        times.median() >= TIMES_BUCKET4J,
        RATIO.of(times));
  }

  private Spread timesFewer(int keys, Contender contender) {
    return results.loads(keys, contender).of(results.timesFewer());
  }

  private Target lost(int keys) {
    Tally tally = Results.tally(results.loads(keys, TIDEGATE).rows());
    return new Target(
        COUNT.of(keys) + " keys: no count is lost", tally.lost() == 0, tally.lostOfAll());
  }

  /** Where another contender does better. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    for (Contender other : List.of(PER_REQUEST, BUCKET4J)) {
      results.settings().keys().forEach(keys -> addLoadLosses(keys, other, losses));
      Spread theirs = lagP99(other);
      Spread ours = lagP99(TIDEGATE);
      if (theirs.median() < ours.median()) {
        losses.add("lag p99: %s ms with %s, %s ms with us"
            .formatted(FIGURE.of(theirs), other.label(), FIGURE.of(ours)));
      }
      for (Pace pace : Pace.values()) {
        addOvershootLoss(other, pace, losses);
      }
    }
    return losses;
  }

  private void addLoadLosses(int keys, Contender other, List<String> losses) {
    Rounds<Load> theirs = results.loads(keys, other);
    Rounds<Load> ours = results.loads(keys, TIDEGATE);
    String name = COUNT.of(keys) + " keys";
    Spread times = timesFewer(keys, other);
    if (times.median() < 1) {
      losses.add("%s: we make %s times the decisions of %s"
          .formatted(name, RATIO.of(times), withLosses(other, keys)));
    }
    Spread cold = theirs.of(Load::coldPerSecond);
    Spread ourCold = ours.of(Load::coldPerSecond);
    if (cold.median() > ourCold.median()) {
      losses.add("%s, cold: %s decides %s per second, we decide %s"
          .formatted(name, other.label(), MANY.of(cold), MANY.of(ourCold)));
    }
    Spread redis = theirs.of(Load::decisionsPerRedisSecond);
    Spread ourRedis = ours.of(Load::decisionsPerRedisSecond);
    if (redis.median() > ourRedis.median()) {
      losses.add("%s: a second of Redis CPU carries %s decisions of ours, and %s of %s"
          .formatted(name, MANY.of(ourRedis), MANY.of(redis), withLosses(other, keys)));
    }
    Spread settle = theirs.of(Load::settleMillis);
    Spread ourSettle = ours.of(Load::settleMillis);
    if (settle.median() < ourSettle.median()) {
      losses.add("%s: Redis has all counts %s ms after our last request, and %s ms after that of %s"
          .formatted(name, FIGURE.of(ourSettle), FIGURE.of(settle), withLosses(other, keys)));
    }
  }

  /**
   * The name of a contender with the share of counts that it loses, because lost counts are no
   * work.
   */
  private String withLosses(Contender other, int keys) {
    Tally tally = Results.tally(results.loads(keys, other).rows());
    return tally.lost() > 0
        ? "%s, which loses %s of its counts".formatted(other.label(), tally.lostPercent())
        : other.label();
  }

  private void addOvershootLoss(Contender other, Pace pace, List<String> losses) {
    Spread theirs = results.overshoots(other, pace).of(Overshoot::timesLimit);
    Spread ours = results.overshoots(TIDEGATE, pace).of(Overshoot::timesLimit);
    if (theirs.median() < ours.median()) {
      losses.add("overshoot, %s: %s admits %s times the limit, we admit %s times"
          .formatted(pace.label(), other.label(), RATIO.of(theirs), RATIO.of(ours)));
    }
  }
}
