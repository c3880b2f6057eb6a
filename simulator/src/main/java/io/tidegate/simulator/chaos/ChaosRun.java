package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.World;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One seed, from its first node to the last check. */
public final class ChaosRun {

  /** How often what is no message is looked at: memory, and who waits. */
  private static final long LOOK_NANOS = 50 * Scenario.MILLI;

  /**
   * What came of it.
   *
   * @param seed the seed
   * @param hash of all that happened
   * @param answers how many answers were judged
   * @param events how much happened
   * @param virtualSeconds in how much virtual time
   * @param violation what did not hold that should; null if all did
   */
  public record Result(
      long seed,
      String hash,
      long answers,
      long events,
      double virtualSeconds,
      @Nullable String violation) {}

  private final Scenario plan;
  private final World world;
  private final Trace trace;
  private final Violations violations = new Violations();
  private final Excuses excuses;
  private final Referee referee;
  private final Cluster cluster;
  private final ChaosTraffic traffic;
  private final MemoryCheck memory;
  private final ConvergenceCheck convergence;

  private ChaosRun(long seed, @Nullable Consumer<String> reader) {
    this.plan = Scenario.of(seed);
    this.world = new World(seed);
    this.trace = new Trace(world.timeline(), reader);
    GroundTruth truth = new GroundTruth();
    this.excuses = new Excuses(plan);
    this.referee = new Referee(plan, world.timeline(), truth, excuses, violations, trace);
    this.cluster = new Cluster(plan, world, trace, referee, excuses);
    this.traffic = new ChaosTraffic(plan, world, cluster, referee);
    this.memory = new MemoryCheck(plan, violations);
    this.convergence =
        new ConvergenceCheck(plan, world, cluster, truth, excuses, referee, violations);
  }

  /**
   * Runs a seed.
   *
   * @param reader is given a line for everything that happens; null if nobody reads
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
      violation = "nothing throws: " + e;
    }
    if (violation != null) {
      trace.tell("VIOLATION of " + violation);
    }
    return new Result(
        plan.seed(),
        trace.hash(),
        referee.judged(),
        world.timeline().planned(),
        (world.timeline().nowNanos() - plan.startNanos()) / 1e9,
        violation);
  }

  private void runAll() {
    trace.tell(plan.toString());
    world.database().keepUndo();
    world.timeline().runUntil(plan.startNanos());
    world.timeline().afterEach(referee::judge);
    cluster.begin();
    look();
    traffic.begin();
    world.timeline().runUntil(plan.endNanos());
    world.timeline().runUntil(excuses.calmNanos());
    convergence.check();
  }

  private void look() {
    traffic.checkWaiting();
    memory.check(cluster.running());
    world.timeline().after(LOOK_NANOS, this::look);
  }
}
