package io.tidegate.simulator.chaos;

import io.tidegate.simulator.chaos.RunContext.GuaranteeViolation;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Timeline;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The run of one seed, from the start of its nodes to the check of convergence. */
public final class ChaosRun {

  /** Interval of the checks that no message triggers: memory and waiting requests. */
  private static final long CHECK_NANOS = 50 * Scenario.MILLI;

  /**
   * The result of a run.
   *
   * @param hash hash of the trace
   * @param answers number of checked answers
   * @param violation first violated guarantee; null if all held
   */
  public record Result(
      long seed,
      String hash,
      long answers,
      long events,
      double virtualSeconds,
      @Nullable String violation) {}

  private final RunContext run;
  private final Scenario scenario;
  private final Timeline timeline;
  private final Referee referee;
  private final Cluster cluster;
  private final ChaosTraffic traffic;

  private ChaosRun(long seed, @Nullable Consumer<String> reader) {
    this.scenario = Scenario.of(seed);
    this.run = new RunContext(scenario, reader);
    this.timeline = run.world().timeline();
    this.referee = new Referee(run);
    this.cluster = new Cluster(run, referee);
    this.traffic = new ChaosTraffic(run, cluster, referee);
  }

  /**
   * Runs a seed.
   *
   * @param reader receives a line for every event; null if only the result is of interest
   */
  public static Result of(long seed, @Nullable Consumer<String> reader) {
    return new ChaosRun(seed, reader).run();
  }

  private Result run() {
    String violation = null;
    try {
      runAll();
    } catch (GuaranteeViolation e) {
      violation = e.getMessage();
    } catch (RuntimeException | Error e) {
      violation = Guarantee.NOTHING_THROWS + ": " + e;
    }
    if (violation != null) {
      run.trace("VIOLATION: " + violation);
    }
    double seconds = (run.now() - scenario.startNanos()) / 1e9;
    return new Result(
        scenario.seed(),
        run.hashOfTrace(),
        referee.checkedAnswers(),
        timeline.scheduled(),
        seconds,
        violation);
  }

  private void runAll() {
    run.trace(scenario.toString());
    run.world().database().keepUndo();
    timeline.runUntil(scenario.startNanos());
    timeline.afterEach(referee::checkEvent);
    cluster.start();
    checkRepeatedly();
    traffic.start();
    timeline.runUntil(scenario.endNanos());
    timeline.runUntil(run.excuses().calmNanos());
    new ConvergenceCheck(run, cluster, referee).check();
  }

  private void checkRepeatedly() {
    traffic.checkWaiting();
    checkMemory();
    timeline.after(CHECK_NANOS, this::checkRepeatedly);
  }

  /** A batch may exceed the bound by all of its series, until the next series is created. */
  private void checkMemory() {
    for (Node node : cluster.running()) {
      long series = node.limiter().stats().series();
      if (series > scenario.maxSeries() + ChaosTraffic.LONGEST_BATCH) {
        String details = node + " has " + series + " series, at most " + scenario.maxSeries();
        run.violated(Guarantee.SERIES_ARE_BOUNDED, details);
      }
    }
  }
}
