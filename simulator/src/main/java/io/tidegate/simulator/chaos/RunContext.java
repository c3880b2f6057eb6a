package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.World;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a run that its traffic, its faults and its checks share, the trace of the run, and
 * the first violated guarantee. Equal runs have equal hashes of their traces.
 */
final class RunContext {

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** A guarantee did not hold. */
  static final class GuaranteeViolation extends RuntimeException {

    private static final long serialVersionUID = 1;

    private GuaranteeViolation(Guarantee guarantee, String details) {
      super(guarantee + ": " + details);
    }
  }

  private final Scenario scenario;
  private final World world;
  private final GroundTruth truth = new GroundTruth();
  private final Excuses excuses;
  private final @Nullable Consumer<String> reader;
  private long hash = FNV_OFFSET;
  private @Nullable GuaranteeViolation first;

  RunContext(Scenario scenario, @Nullable Consumer<String> reader) {
    this.scenario = scenario;
    this.world = new World(scenario.seed());
    this.excuses = new Excuses(scenario);
    this.reader = reader;
  }

  Scenario scenario() {
    return scenario;
  }

  World world() {
    return world;
  }

  GroundTruth truth() {
    return truth;
  }

  Excuses excuses() {
    return excuses;
  }

  long now() {
    return world.timeline().nowNanos();
  }

  /** Adds an event to the trace. */
  void trace(String event) {
    for (int shift = 0; shift < Long.SIZE; shift += Short.SIZE) {
      hash = (hash ^ (now() >>> shift & 0xffff)) * FNV_PRIME;
    }
    for (int i = 0; i < event.length(); i++) {
      hash = (hash ^ event.charAt(i)) * FNV_PRIME;
    }
    if (reader != null) {
      reader.accept(String.format(Locale.ROOT, "%14.6f  %s", now() / 1e9, event));
    }
  }

  String hashOfTrace() {
    return String.format(Locale.ROOT, "%016x", hash);
  }

  void violated(Guarantee guarantee, String details) {
    if (first == null) {
      first = new GuaranteeViolation(guarantee, details);
    }
  }

  /**
   * Throws the first violation, if there is one. Called after the event in which it was found:
   * inside the event, the limiter could catch it like a failure of an adapter.
   */
  void throwFirst() {
    if (first != null) {
      throw first;
    }
  }
}
