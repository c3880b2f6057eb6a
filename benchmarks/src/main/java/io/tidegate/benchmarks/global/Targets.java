package io.tidegate.benchmarks.global;

import static io.tidegate.benchmarks.global.Policy.ADAPTIVE;
import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.SMALL;

import io.tidegate.benchmarks.global.OvershootTrial.Offer;
import io.tidegate.benchmarks.global.Results.FleetEnd;
import io.tidegate.benchmarks.global.Results.Load;
import io.tidegate.benchmarks.global.Results.Overshoot;
import io.tidegate.benchmarks.global.Results.Tick;
import io.tidegate.report.Comparison;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.List;

/** Judges the results by the targets of this benchmark. */
record Targets(Results results) {

  private static final double LAG_SECONDS = 2.5;
  private static final double TICK_MILLIS = 5;

  /** CPU time per cell may double when all cells changed, because caches do not help then. */
  private static final double PROPORTIONAL = 2;

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    results.fleets().forEach(times -> addFleet(times, targets));
    if (!results.overshoots().isEmpty()) {
      targets.add(overshoot(Offer.TWICE, 2, 1.06));
      targets.add(overshoot(Offer.TEN_TIMES, 10, 1.3));
    }
    addTicks(targets);
    return targets;
  }

  private void addFleet(int times, List<Target> targets) {
    int series = times * results.settings().series();
    String name = COUNT.of(series) + " series, adaptive: ";
    Rounds<Load> loads = results.loads(ADAPTIVE, series);
    int most = times * GlobalReport.MOST_WRITTEN;
    Spread written = loads.of(Load::rowsWrittenPerSecond);
    targets.add(new Target(
        name + "at most the %s rows/s that the reference design expects".formatted(COUNT.of(most)),
        written.max() <= most,
        MANY.of(written) + " rows/s"));
    FleetEnd end = results.ends().first(row -> row.policy() == ADAPTIVE && row.series() == series);
    double lag = end.lagMillis().p99() / 1e3;
    targets.add(new Target(
        name + "lag p99 at most " + LAG_SECONDS + " s", lag <= LAG_SECONDS, SMALL.of(lag) + " s"));
    double failed = loads.of(load -> load.exchanged().failures()).max();
    targets.add(new Target(
        name + "no push or pull fails", failed == 0, COUNT.of(failed) + " failed in a window"));
  }

  private Target overshoot(Offer offer, int times, double most) {
    double admitted =
        results.overshoots(ADAPTIVE, offer).of(Overshoot::timesLimit).median();
    return new Target(
        "adaptive: offered %d times a limit, at most %s times is admitted".formatted(times, most),
        admitted <= most,
        SMALL.of(admitted));
  }

  private void addTicks(List<Target> targets) {
    Spread one = tickMillis(10);
    targets.add(new Target(
        "%s active cells, 1 %% changed: at most %.0f ms of CPU to push and pull"
            .formatted(COUNT.of(Settings.CELLS), TICK_MILLIS),
        one.median() <= TICK_MILLIS,
        SMALL.of(one) + " ms"));
    double none = tickMillis(0).median();
    double times = tickMillis(1000).median() / one.median() / 100;
    targets.add(new Target(
        "CPU is proportional to the number of changed cells: almost none for none, and at most twice as much per cell"
            + " when all changed as when 1 % did",
        times <= PROPORTIONAL && none <= one.median() / 10,
        "%s ms for none, %s times as much per cell".formatted(SMALL.of(none), SMALL.of(times))));
  }

  private Spread tickMillis(int changedPerMille) {
    return results
        .ticks()
        .where(tick -> tick.changedPerMille() == changedPerMille)
        .of(Tick::millis);
  }

  /** Where another policy needs less, or overshoots less. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    int series = results.settings().series();
    Rounds<Load> ours = results.loads(ADAPTIVE, series);
    for (Policy other : Policy.values()) {
      new Comparison<>("adaptive", ours, other.label(), results.loads(other, series), losses)
          .low("rows written/s", Load::rowsWrittenPerSecond, MANY)
          .low("rows read/s", Load::rowsReadPerSecond, MANY)
          .low("MariaDB, % of a core", Load::databasePercent, FIGURE);
      for (Offer offer : results.overshoots().isEmpty() ? new Offer[0] : Offer.values()) {
        Rounds<Overshoot> theirs = results.overshoots(other, offer);
        new Comparison<>(
                "adaptive", results.overshoots(ADAPTIVE, offer), other.label(), theirs, losses)
            .low("times the limit admitted, " + offer.label(), Overshoot::timesLimit, SMALL);
      }
    }
    Spread read = ours.of(Load::rowsReadPerSecond);
    if (read.median() > GlobalReport.MOST_READ) {
      losses.add("%s rows are read per second, where the reference design expects at most %s"
          .formatted(MANY.of(read), COUNT.of(GlobalReport.MOST_READ)));
    }
    return losses;
  }
}
