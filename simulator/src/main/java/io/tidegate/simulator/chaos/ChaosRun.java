package io.tidegate.simulator.chaos;

import io.tidegate.simulator.chaos.Violations.GuaranteeViolation;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.World;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The run of one seed, from the start of its nodes to the check of convergence. */
public final class ChaosRun {

  /** Interval of the checks that no message triggers: memory and waiting requests. */
  private static final long CHECK_NANOS = 50 * Scenario.MILLI;

  /**
   * The result of a run.
   *
   * @param seed seed of the scenario
   * @param hash hash of the trace
   * @param answers number of checked answers
   * @param events number of events
   * @param virtualSeconds length in virtual time
   * @param violation first violated guarantee; null if all held
   */
  public record Result(
      long seed,
      String hash,
      long answers,
      long events,
      double virtualSeconds,
      @Nullable String violation) {}

  private final Scenario scenario;
  private final World world;
  private final Trace trace;
  private final Violations violations = new Violations();
  private final Excuses excuses;
  private final Referee referee;
  private final Cluster cluster;
  private final ChaosTraffic traffic;
  private final ConvergenceCheck convergence;

  private ChaosRun(long seed, @Nullable Consumer<String> reader) {
    this.scenario = Scenario.of(seed);
    this.world = new World(seed);
    this.trace = new Trace(world.timeline(), reader);
    GroundTruth truth = new GroundTruth();
    this.excuses = new Excuses(scenario);
    this.referee = new Referee(scenario, world.timeline(), truth, excuses, violations, trace);
    MessageCheck messages = new MessageCheck(scenario, world.timeline(), truth, violations, trace);
    this.cluster = new Cluster(scenario, world, trace, referee, messages, excuses);
    this.traffic = new ChaosTraffic(scenario, world, cluster, referee);
    this.convergence =
        new ConvergenceCheck(scenario, world, cluster, truth, excuses, referee, violations);
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
      trace.add("VIOLATION: " + violation);
    }
    return new Result(
        scenario.seed(),
        trace.hash(),
        referee.checkedAnswers(),
        world.timeline().scheduled(),
        (world.timeline().nowNanos() - scenario.startNanos()) / 1e9,
        violation);
  }

  private void runAll() {
    trace.add(scenario.toString());
    world.database().keepUndo();
    world.timeline().runUntil(scenario.startNanos());
    world.timeline().afterEach(referee::checkEvent);
    cluster.start();
    checkRepeatedly();
    traffic.start();
    world.timeline().runUntil(scenario.endNanos());
    world.timeline().runUntil(excuses.calmNanos());
    convergence.check();
  }

  private void checkRepeatedly() {
    traffic.checkWaiting();
    checkMemory();
    world.timeline().after(CHECK_NANOS, this::checkRepeatedly);
  }

  /** A batch may exceed the bound by all of its series, until the next series is created. */
  private void checkMemory() {
    for (Node node : cluster.running()) {
      long series = node.limiter().stats().series();
      violations.require(
          series <= scenario.maxSeries() + ChaosTraffic.LONGEST_BATCH,
          Guarantee.SERIES_ARE_BOUNDED,
          "%s has %d series, with a maximum of %d",
          node,
          series,
          scenario.maxSeries());
    }
  }
}
