package io.tidegate.benchmarks;

import static io.tidegate.benchmarks.RegionalContender.BUCKET4J;
import static io.tidegate.benchmarks.RegionalContender.PER_REQUEST;
import static io.tidegate.benchmarks.RegionalContender.TIDEGATE;

import io.tidegate.benchmarks.RegionalFigures.Load;
import io.tidegate.benchmarks.RegionalFigures.Pace;
import io.tidegate.benchmarks.RegionalFigures.Tally;
import io.tidegate.report.Spread;
import io.tidegate.report.Verdict;
import io.tidegate.report.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What Tidegate is meant to reach with Redis, held against what was measured. */
record RegionalTargets(RegionalSettings settings, RegionalFigures figures) {

  private static final int LAG_MILLIS = 50;
  private static final int TIMES_BUCKET4J = 10;

  List<Verdict> verdicts() {
    List<Verdict> verdicts = new ArrayList<>();
    verdicts.add(lag());
    for (int keys : settings.keys()) {
      verdicts.add(messages(keys));
    }
    for (int keys : settings.keys()) {
      verdicts.add(throughput(keys));
    }
    for (int keys : settings.keys()) {
      figures.tally(TIDEGATE, keys).map(tally -> losses(keys, tally)).ifPresent(verdicts::add);
    }
    return verdicts;
  }

  private Verdict lag() {
    Spread p99 = figures.lag(TIDEGATE, lag -> lag.millis().p99());
    return new Verdict(
        "lag p99 at most " + LAG_MILLIS + " ms",
        p99.median() <= LAG_MILLIS,
        Words.figure(p99) + " ms");
  }

  private Verdict messages(int keys) {
    Spread share = figures.load(
        keys, TIDEGATE, load -> load.traffic().messagesPerSecond() / load.mostMessagesPerSecond());
    Spread messages = figures.load(keys, TIDEGATE, load -> load.traffic().messagesPerSecond());
    Spread commands = figures.load(keys, TIDEGATE, load -> load.traffic().commandsPerSecond());
    Spread most = figures.load(keys, TIDEGATE, Load::mostMessagesPerSecond);
    return new Verdict(
        "%s keys: at most one message per cell, node and tick".formatted(Words.count(keys)),
        share.max() <= 1,
        "%s messages/s where %s may be; %s commands/s"
            .formatted(Words.many(messages), Words.many(most.median()), Words.many(commands)));
  }

  private Verdict throughput(int keys) {
    Spread times = figures.timesAsFastAs(BUCKET4J, keys);
    return new Verdict(
        "%s keys: at least %dx the decisions of bucket4j"
            .formatted(Words.count(keys), TIMES_BUCKET4J),
        times.median() >= TIMES_BUCKET4J,
        Words.ratio(times));
  }

  private static Verdict losses(int keys, Tally tally) {
    return new Verdict(
        "%s keys: no count is lost".formatted(Words.count(keys)), tally.lost() == 0, lost(tally));
  }

  /** Where a contender does better, in words. */
  List<String> whereWeLose() {
    List<String> losses = new ArrayList<>();
    for (RegionalContender other : List.of(PER_REQUEST, BUCKET4J)) {
      for (int keys : settings.keys()) {
        load(keys, other, losses);
      }
      lag(other, losses);
      for (Pace pace : Pace.values()) {
        admission(other, pace, losses);
      }
    }
    return losses;
  }

  private void load(int keys, RegionalContender other, List<String> losses) {
    Spread times = figures.timesAsFastAs(other, keys);
    if (times.median() < 1) {
      losses.add("%s keys: we make %s times the decisions of %s"
          .formatted(Words.count(keys), Words.ratio(times), withLosses(other, keys)));
    }
    Spread cold = figures.load(keys, other, Load::coldPerSecond);
    Spread ourCold = figures.load(keys, TIDEGATE, Load::coldPerSecond);
    if (cold.median() > ourCold.median()) {
      losses.add("%s keys, met for the first time: %s takes %s a second, we take %s"
          .formatted(Words.count(keys), other.label(), Words.many(cold), Words.many(ourCold)));
    }
    Spread redis = figures.load(keys, other, load -> load.traffic().decisionsPerRedisSecond());
    Spread ourRedis =
        figures.load(keys, TIDEGATE, load -> load.traffic().decisionsPerRedisSecond());
    if (redis.median() > ourRedis.median()) {
      losses.add("%s keys: a second of Redis' CPU is good for %s decisions of ours, and %s of %s"
          .formatted(
              Words.count(keys), Words.many(ourRedis), Words.many(redis), withLosses(other, keys)));
    }
    Spread settling = figures.load(keys, other, Load::settlingMillis);
    Spread ourSettling = figures.load(keys, TIDEGATE, Load::settlingMillis);
    if (settling.median() < ourSettling.median()) {
      losses.add(
          "%s keys: Redis knows all %s ms after the last request to us, and %s ms after that to %s"
              .formatted(
                  Words.count(keys),
                  Words.figure(ourSettling),
                  Words.figure(settling),
                  withLosses(other, keys)));
    }
  }

  /** Who loses most of its counts has less to do. */
  private String withLosses(RegionalContender other, int keys) {
    return other.label()
        + figures
            .tally(other, keys)
            .filter(tally -> tally.lost() > 0)
            .map(tally -> String.format(
                Locale.ROOT, ", which loses %.1f %% of its counts", tally.lostPercent()))
            .orElse("");
  }

  private void lag(RegionalContender other, List<String> losses) {
    Spread p99 = figures.lag(other, lag -> lag.millis().p99());
    Spread ourP99 = figures.lag(TIDEGATE, lag -> lag.millis().p99());
    if (p99.median() < ourP99.median()) {
      losses.add("lag p99: %s ms with %s, %s ms with us"
          .formatted(Words.figure(p99), other.label(), Words.figure(ourP99)));
    }
  }

  private void admission(RegionalContender other, Pace pace, List<String> losses) {
    Spread times = figures.timesLimit(other, pace);
    Spread ourTimes = figures.timesLimit(TIDEGATE, pace);
    if (times.median() < ourTimes.median()) {
      losses.add("over-admission, %s: %s accepts %s times the limit, we %s times"
          .formatted(pace.label(), other.label(), Words.ratio(times), Words.ratio(ourTimes)));
    }
  }

  static String lost(Tally tally) {
    String share =
        tally.lost() == 0 ? "" : String.format(Locale.ROOT, " (%.1f %%)", tally.lostPercent());
    return Words.many(tally.lost()) + " of " + Words.many(tally.accepted()) + share;
  }
}
