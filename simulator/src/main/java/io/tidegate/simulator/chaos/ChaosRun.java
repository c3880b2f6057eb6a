package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Timeline;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The run of one seed, from the start of its nodes to the check of convergence. */
public final class ChaosRun {

  /** Interval of the checks that no message triggers: memory and waiting requests. */
  private static final long CHECK_NANOS = 50 * Scenario.MILLI;

  /** Hash of the trace, size of the run, and the first violated guarantee, if there is one. */
  public record Result(
      long seed,
      String hash,
      long answers,
      long events,
      double virtualSeconds,
      @Nullable String violation) {}

  private final RunContext run;
  private final Referee referee;
  private final Cluster cluster;

  private ChaosRun(long seed, @Nullable Consumer<String> reader) {
    this.run = new RunContext(Scenario.of(seed), reader);
    this.referee = new Referee(run);
    this.cluster = new Cluster(run, referee);
  }

  /** Runs a seed. The reader, if there is one, receives a line for every event. */
  public static Result of(long seed, @Nullable Consumer<String> reader) {
    return new ChaosRun(seed, reader).run();
  }

  private Result run() {
    try {
      runAll();
    } catch (RuntimeException | Error e) {
      run.violated(Guarantee.NOTHING_THROWS, e.toString()); // unless it reports a violation
    }
    String violation = run.violation();
    if (violation != null) {
      run.trace("VIOLATION: " + violation);
    }
    long events = run.world.timeline().scheduled();
    double seconds = (run.now() - run.scenario.startNanos()) / 1e9;
    long seed = run.scenario.seed();
    long answers = referee.checkedAnswers();
    return new Result(seed, run.hashOfTrace(), answers, events, seconds, violation);
  }

  private void runAll() {
    Scenario scenario = run.scenario;
    Timeline timeline = run.world.timeline();
    run.trace(scenario.toString());
    timeline.runUntil(scenario.startNanos());
    timeline.afterEach(referee::checkEvent);
    cluster.start();
    checkRepeatedly();
    new ImportCheck(run, cluster).start();
    new ChaosTraffic(run, cluster, referee).start();
    timeline.runUntil(run.excuses.calmNanos());
    new ConvergenceCheck(run, cluster, referee).check();
  }

  private void checkRepeatedly() {
    referee.checkWaiting();
    checkMemory();
    run.world.timeline().after(CHECK_NANOS, this::checkRepeatedly);
  }

  /** A batch may exceed the bound by all of its series, until the next series is created. */
  private void checkMemory() {
    for (Node node : cluster.running()) {
      long series = node.limiter().stats().series();
      int max = run.scenario.maxSeries() + ChaosTraffic.LONGEST_BATCH;
      run.check(Guarantee.SERIES_ARE_BOUNDED, series <= max, node, " has ", series, " of ", max);
      int requested = referee.model(node).requestedSeries();
      boolean only = series <= requested || run.excuses.registrationMayHaveFailed(node, run.now());
      run.check(Guarantee.ONLY_REQUESTED_SERIES, only, node, " has ", series, " of ", requested);
    }
  }
}
