package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.World;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One seed, from its first node to the last check. */
public final class ChaosRun {

  /** How often what is no message is looked at: memory, and who waits. */
  private static final long LOOK_NANOS = 50 * Plan.MILLI;

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

  private final Plan plan;
  private final World world;
  private final Trace trace;
  private final Verdicts verdicts = new Verdicts();
  private final Trouble trouble;
  private final Referee referee;
  private final Crew crew;
  private final Traffic traffic;
  private final Memory memory;
  private final Convergence convergence;

  private ChaosRun(long seed, @Nullable Consumer<String> reader) {
    this.plan = Plan.of(seed);
    this.world = new World(seed);
    this.trace = new Trace(world.timeline(), reader);
    Truth truth = new Truth();
    this.trouble = new Trouble(plan);
    this.referee = new Referee(plan, world.timeline(), truth, trouble, verdicts, trace);
    this.crew = new Crew(plan, world, trace, referee, trouble);
    this.traffic = new Traffic(plan, world, crew, referee);
    this.memory = new Memory(plan, verdicts);
    this.convergence = new Convergence(plan, world, crew, truth, trouble, referee, verdicts);
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
    } catch (Violation e) {
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
    crew.begin();
    look();
    traffic.begin();
    world.timeline().runUntil(plan.endNanos());
    world.timeline().runUntil(trouble.calmNanos());
    convergence.check();
  }

  private void look() {
    traffic.checkWaiting();
    memory.check(crew.running());
    world.timeline().after(LOOK_NANOS, this::look);
  }
}
