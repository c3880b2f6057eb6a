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
import io.tidegate.report.Losses;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

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
    Losses losses = new Losses("Tidegate");
    for (Contender other : List.of(PER_REQUEST, BUCKET4J)) {
      results.settings().keys().forEach(keys -> addLoadLosses(keys, other, losses));
      losses.addIfLower("lag p99, ms", lagP99(TIDEGATE), other.label(), lagP99(other), FIGURE);
      for (Pace pace : Pace.values()) {
        losses.addIfLower(
            "times the limit admitted, " + pace.label(),
            timesLimit(TIDEGATE, pace),
            other.label(),
            timesLimit(other, pace),
            RATIO);
      }
    }
    return losses.lines();
  }

  private Spread timesLimit(Contender contender, Pace pace) {
    return results.overshoots(contender, pace).of(Overshoot::timesLimit);
  }

  private void addLoadLosses(int keys, Contender other, Losses losses) {
    Rounds<Load> ours = results.loads(keys, TIDEGATE);
    Rounds<Load> theirs = results.loads(keys, other);
    String name = withLosses(other, keys);
    String prefix = COUNT.of(keys) + " keys, ";
    Map<String, ToDoubleFunction<Load>> figures = new LinkedHashMap<>();
    figures.put("decisions/s", Load::decisionsPerSecond);
    figures.put("cold keys/s", Load::coldPerSecond);
    figures.put("decisions per second of Redis' CPU", Load::decisionsPerRedisSecond);
    figures.forEach((heading, figure) ->
        losses.addIfHigher(prefix + heading, ours.of(figure), name, theirs.of(figure), MANY));
    losses.addIfLower(
        prefix + "all counts in Redis after, ms",
        ours.of(Load::settleMillis),
        name,
        theirs.of(Load::settleMillis),
        FIGURE);
  }

  /** The name of a contender with its share of lost counts, which it saves the work for. */
  private String withLosses(Contender other, int keys) {
    Tally tally = Results.tally(results.loads(keys, other).rows());
    return tally.lost() > 0
        ? "%s (which loses %s of its counts)".formatted(other.label(), tally.lostPercent())
        : other.label();
  }
}
