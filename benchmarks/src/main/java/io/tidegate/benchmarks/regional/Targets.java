package io.tidegate.benchmarks.regional;

import static io.tidegate.benchmarks.regional.Contender.BUCKET4J;
import static io.tidegate.benchmarks.regional.Contender.PER_REQUEST;
import static io.tidegate.benchmarks.regional.Contender.TIDEGATE;
import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.benchmarks.regional.Results.Lag;
import io.tidegate.benchmarks.regional.Results.Load;
import io.tidegate.benchmarks.regional.Results.Loss;
import io.tidegate.benchmarks.regional.Results.Overshoot;
import io.tidegate.benchmarks.regional.Results.Pace;
import io.tidegate.report.Comparison;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.List;

/** Judges the results by the targets of this benchmark. */
record Targets(Results results) {

  private static final int LAG_MILLIS = 50;
  private static final int TIMES_BUCKET4J = 10;

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    Spread lag = lags(TIDEGATE).of(row -> row.millis().p99());
    String text = "lag p99 at most " + LAG_MILLIS + " ms";
    targets.add(new Target(text, lag.median() <= LAG_MILLIS, FIGURE.of(lag) + " ms"));
    results.settings().keys().forEach(keys -> addTargets(keys, targets));
    return targets;
  }

  private Rounds<Lag> lags(Contender contender) {
    return results.lags().where(lag -> lag.contender() == contender);
  }

  private void addTargets(int keys, List<Target> targets) {
    String prefix = COUNT.of(keys) + " keys: ";
    Rounds<Load> ours = results.loads(keys, TIDEGATE);
    Spread share = ours.of(load -> load.messagesPerSecond() / load.mostMessagesPerSecond());
    targets.add(new Target(
        prefix + "at most one message per cell, node and tick",
        share.max() <= 1,
        "%s messages/s of at most %s; %s commands/s"
            .formatted(
                MANY.of(ours.of(Load::messagesPerSecond)),
                MANY.of(ours.of(Load::mostMessagesPerSecond).median()),
                MANY.of(ours.of(Load::commandsPerSecond)))));
    Spread times = results.loads(keys, BUCKET4J).of(results.timesFewer());
    String decisions = "at least %dx the decisions of bucket4j".formatted(TIMES_BUCKET4J);
    targets.add(new Target(prefix + decisions, times.median() >= TIMES_BUCKET4J, RATIO.of(times)));
    Loss loss = Loss.of(ours.rows());
    targets.add(new Target(prefix + "no count is lost", loss.lost() == 0, loss.toString()));
  }

  /** Where another contender does better. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    for (Contender other : List.of(PER_REQUEST, BUCKET4J)) {
      results.settings().keys().forEach(keys -> addLosses(keys, other, losses));
      new Comparison<>(TIDEGATE.label(), lags(TIDEGATE), other.label(), lags(other), losses)
          .low("lag p99, ms", lag -> lag.millis().p99(), FIGURE);
      for (Pace pace : Pace.values()) {
        Rounds<Overshoot> theirs = overshoots(other, pace);
        new Comparison<>(
                TIDEGATE.label(), overshoots(TIDEGATE, pace), other.label(), theirs, losses)
            .low("times the limit admitted, " + pace.label(), Overshoot::timesLimit, RATIO);
      }
    }
    return losses;
  }

  private Rounds<Overshoot> overshoots(Contender contender, Pace pace) {
    return results.overshoots().where(row -> row.contender() == contender && row.pace() == pace);
  }

  /** Names the share of counts that the other contender loses, which saves it work. */
  private void addLosses(int keys, Contender other, List<String> losses) {
    Rounds<Load> theirs = results.loads(keys, other);
    Loss loss = Loss.of(theirs.rows());
    String which = " (which loses " + loss.percent() + " of its counts)";
    String name = other.label() + (loss.lost() > 0 ? which : "");
    String prefix = COUNT.of(keys) + " keys, ";
    new Comparison<>(TIDEGATE.label(), results.loads(keys, TIDEGATE), name, theirs, losses)
        .high(prefix + "decisions/s", Load::decisionsPerSecond, MANY)
        .high(prefix + "cold keys/s", Load::coldPerSecond, MANY)
        .high(prefix + "decisions per second of Redis' CPU", Load::decisionsPerRedisSecond, MANY)
        .low(prefix + "all counts in Redis after, ms", Load::settleMillis, FIGURE);
  }
}
