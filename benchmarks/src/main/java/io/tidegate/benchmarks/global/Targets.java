package io.tidegate.benchmarks;

import static io.tidegate.benchmarks.GlobalPolicy.ADAPTIVE;

import io.tidegate.benchmarks.GlobalFigures.Spending;
import io.tidegate.benchmarks.GlobalFigures.Tick;
import io.tidegate.benchmarks.GlobalSpending.Offer;
import io.tidegate.report.Spread;
import io.tidegate.report.Verdict;
import io.tidegate.report.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** What the exchange between regions is meant to reach, held against what was measured. */
record GlobalTargets(GlobalSettings settings, GlobalFigures figures) {

  private static final double LAG_SECONDS = 2.5;
  private static final double TICK_MILLIS = 5;

  /** Of so many per mille of the cells. */
  private static final int TICK_CHANGED = 10;

  /** How much more a cell may take when all have changed: caches are then no help. */
  private static final double PROPORTIONAL = 2;

  /** What a sketch of the policy gave; the design's table. */
  private static final Map<Offer, Double> TIMES_LIMIT =
      Map.of(Offer.TWICE, 1.06, Offer.TEN_TIMES, 1.3);

  List<Verdict> verdicts() {
    List<Verdict> verdicts = new ArrayList<>();
    shape(settings.series(), GlobalExpectation.SHAPE, verdicts);
    for (int times : settings.times()) {
      shape(times * settings.series(), GlobalExpectation.times(times), verdicts);
    }
    for (Offer offer : List.of(Offer.TWICE, Offer.TEN_TIMES)) {
      figures.spending(ADAPTIVE, offer).map(GlobalTargets::spent).ifPresent(verdicts::add);
    }
    verdicts.add(tick());
    verdicts.add(proportional());
    return verdicts;
  }

  private void shape(int series, GlobalExpectation expected, List<Verdict> verdicts) {
    String name = Words.count(series) + " series, adaptive: ";
    Spread written = figures.load(ADAPTIVE, series, GlobalUse::rowsWrittenPerSecond);
    verdicts.add(new Verdict(
        name
            + "at most the %s rows/s that the RFC expects to be written"
                .formatted(Words.count(expected.mostRowsWritten())),
        written.max() <= expected.mostRowsWritten(),
        Words.many(written) + " rows/s"));
    double p99 = figures.lag(ADAPTIVE, series).millis().p99() / 1e3;
    verdicts.add(new Verdict(
        name + "lag p99 at most " + LAG_SECONDS + " s",
        p99 <= LAG_SECONDS,
        Words.small(p99) + " s"));
    double failures = figures.load(ADAPTIVE, series, GlobalUse::failures).max();
    verdicts.add(new Verdict(
        name + "no push or pull fails",
        failures == 0,
        Words.count((long) failures) + " failed in a window"));
  }

  private static Verdict spent(Spending spending) {
    double most = TIMES_LIMIT.get(spending.offer());
    return new Verdict(
        "adaptive: offered %d times a limit, at most %s times is accepted"
            .formatted(spending.offer().times(), most),
        spending.timesLimit() <= most,
        Words.small(spending.timesLimit()));
  }

  private Verdict tick() {
    Spread millis = figures.tick(TICK_CHANGED, Tick::millis);
    return new Verdict(
        "%s active cells, 1 %% changed: at most %.0f ms of CPU to push and pull"
            .formatted(Words.count(settings.cells()), TICK_MILLIS),
        millis.median() <= TICK_MILLIS,
        Words.small(millis) + " ms");
  }

  private Verdict proportional() {
    double one = figures.tick(TICK_CHANGED, Tick::millis).median();
    double all = figures.tick(1000, Tick::millis).median();
    double none = figures.tick(0, Tick::millis).median();
    double times = all / one / (1000.0 / TICK_CHANGED);
    return new Verdict(
        "CPU is proportional to what changed: next to nothing for nothing, and a cell takes at most"
            + " twice as much when all have changed as when 1 % has",
        times <= PROPORTIONAL && none <= one / 10,
        "%s ms for nothing, %s times as much per cell"
            .formatted(Words.small(none), Words.small(times)));
  }

  /** Where another policy asks for less, or lets less through, in words. */
  List<String> whereWeLose() {
    List<String> losses = new ArrayList<>();
    for (GlobalPolicy other : figures.policies(settings.series())) {
      if (other != ADAPTIVE) {
        compare(other, "rows written/s", GlobalUse::rowsWrittenPerSecond, Words::many, losses);
        compare(other, "rows read/s", GlobalUse::rowsReadPerSecond, Words::many, losses);
        compare(other, "MariaDB, % of a core", GlobalUse::databasePercent, Words::figure, losses);
        for (Offer offer : Offer.values()) {
          compare(other, offer, losses);
        }
      }
    }
    Spread read = figures.load(ADAPTIVE, settings.series(), GlobalUse::rowsReadPerSecond);
    if (read.median() > GlobalExpectation.SHAPE.mostRowsRead()) {
      losses.add("%s rows are read a second, where the RFC expects %s at most"
          .formatted(Words.many(read), Words.count(GlobalExpectation.SHAPE.mostRowsRead())));
    }
    return losses;
  }

  private void compare(
      GlobalPolicy other,
      String what,
      ToDoubleFunction<GlobalUse> figure,
      Function<Spread, String> words,
      List<String> losses) {
    Spread theirs = figures.load(other, settings.series(), figure);
    Spread ours = figures.load(ADAPTIVE, settings.series(), figure);
    if (theirs.median() < ours.median()) {
      losses.add("%s: %s with %s, %s with adaptive"
          .formatted(what, words.apply(theirs), other.label(), words.apply(ours)));
    }
  }

  private void compare(GlobalPolicy other, Offer offer, List<String> losses) {
    figures
        .spending(other, offer)
        .ifPresent(theirs -> figures
            .spending(ADAPTIVE, offer)
            .filter(ours -> theirs.timesLimit() < ours.timesLimit())
            .ifPresent(ours -> losses.add(
                "offered %d times a limit in %d regions: %s lets %s times through, adaptive %s times"
                    .formatted(
                        offer.times(),
                        offer.regions(),
                        other.label(),
                        Words.small(theirs.timesLimit()),
                        Words.small(ours.timesLimit())))));
  }
}
