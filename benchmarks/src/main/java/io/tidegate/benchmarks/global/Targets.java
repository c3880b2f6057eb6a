package io.tidegate.benchmarks.global;

import static io.tidegate.benchmarks.global.Policy.ADAPTIVE;
import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.SMALL;

import io.tidegate.benchmarks.global.Results.Spending;
import io.tidegate.benchmarks.global.Results.Tick;
import io.tidegate.benchmarks.global.SpendingTrial.Offer;
import io.tidegate.report.Format;
import io.tidegate.report.Losses;
import io.tidegate.report.Spread;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Judges the results by the targets of this benchmark. */
record Targets(Results results) {

  private static final double LAG_SECONDS = 2.5;
  private static final double TICK_MILLIS = 5;
  private static final int TICK_CHANGED_PER_MILLE = 10;

  /** CPU time per cell may double when all cells changed, because caches do not help then. */
  private static final double PROPORTIONAL = 2;

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    results.shapes().forEach(times -> addShape(times, targets));
    for (Offer offer : Offer.values()) {
      offer
          .mostTimesLimit()
          .ifPresent(most -> results
              .spending(ADAPTIVE, offer)
              .ifPresent(spending -> targets.add(overshoot(spending, most))));
    }
    targets.add(tick());
    targets.add(proportional());
    return targets;
  }

  private void addShape(int times, List<Target> targets) {
    int series = times * results.settings().series();
    String name = COUNT.of(series) + " series, adaptive: ";
    int mostRows = Expectation.times(times).rowsWritten().most();
    Spread written = adaptive(series, WindowUse::rowsWrittenPerSecond);
    targets.add(new Target(
        name
            + "at most the %s rows/s that the reference design expects to be written"
                .formatted(COUNT.of(mostRows)),
        written.max() <= mostRows,
        MANY.of(written) + " rows/s"));
    double p99 = results.end(ADAPTIVE, series).lagMillis().p99() / 1e3;
    targets.add(new Target(
        name + "lag p99 at most " + LAG_SECONDS + " s", p99 <= LAG_SECONDS, SMALL.of(p99) + " s"));
    double failures = adaptive(series, use -> use.exchanged().failures()).max();
    targets.add(new Target(
        name + "no push or pull fails", failures == 0, COUNT.of(failures) + " failed in a window"));
  }

  private Spread adaptive(int series, ToDoubleFunction<WindowUse> figure) {
    return figure(ADAPTIVE, series, figure);
  }

  private Spread figure(Policy policy, int series, ToDoubleFunction<WindowUse> figure) {
    return results.loads(policy, series).of(load -> figure.applyAsDouble(load.use()));
  }

  private static Target overshoot(Spending spending, double most) {
    return new Target(
        "adaptive: offered %d times a limit, at most %s times is admitted"
            .formatted(spending.offer().times(), most),
        spending.timesLimit() <= most,
        SMALL.of(spending.timesLimit()));
  }

  private Target tick() {
    Spread millis = results.ticks(TICK_CHANGED_PER_MILLE).of(Tick::millis);
    return new Target(
        "%s active cells, 1 %% changed: at most %.0f ms of CPU to push and pull"
            .formatted(COUNT.of(results.settings().cells()), TICK_MILLIS),
        millis.median() <= TICK_MILLIS,
        SMALL.of(millis) + " ms");
  }

  private Target proportional() {
    double one = results.ticks(TICK_CHANGED_PER_MILLE).of(Tick::millis).median();
    double all = results.ticks(1000).of(Tick::millis).median();
    double none = results.ticks(0).of(Tick::millis).median();
    double times = all / one / (1000.0 / TICK_CHANGED_PER_MILLE);
    return new Target(
        "CPU is proportional to the number of changed cells: almost none for none, and at most twice as much per cell"
            + " when all changed as when 1 % did",
        times <= PROPORTIONAL && none <= one / 10,
        "%s ms for none, %s times as much per cell".formatted(SMALL.of(none), SMALL.of(times)));
  }

  /** Where another policy needs less, or overshoots less. */
  List<String> losses() {
    Losses losses = new Losses("adaptive");
    for (Policy other : Policy.values()) {
      compare(other, "rows written/s", WindowUse::rowsWrittenPerSecond, MANY, losses);
      compare(other, "rows read/s", WindowUse::rowsReadPerSecond, MANY, losses);
      compare(other, "MariaDB, % of a core", WindowUse::databasePercent, FIGURE, losses);
      for (Offer offer : Offer.values()) {
        compareOvershoot(other, offer, losses);
      }
    }
    Spread read = adaptive(results.settings().series(), WindowUse::rowsReadPerSecond);
    int mostRead = Expectation.times(1).rowsRead().most();
    if (read.median() > mostRead) {
      losses.add("%s rows are read per second, where the reference design expects at most %s"
          .formatted(MANY.of(read), COUNT.of(mostRead)));
    }
    return losses.lines();
  }

  private void compare(
      Policy other,
      String heading,
      ToDoubleFunction<WindowUse> figure,
      Format format,
      Losses losses) {
    int series = results.settings().series();
    Spread ours = adaptive(series, figure);
    losses.addIfLower(heading, ours, other.label(), figure(other, series, figure), format);
  }

  private void compareOvershoot(Policy other, Offer offer, Losses losses) {
    results
        .spending(ADAPTIVE, offer)
        .ifPresent(ours -> results
            .spending(other, offer)
            .ifPresent(theirs -> losses.addIfLower(
                "times the limit admitted, " + offer.label(),
                Spread.of(ours.timesLimit()),
                other.label(),
                Spread.of(theirs.timesLimit()),
                SMALL)));
  }
}
