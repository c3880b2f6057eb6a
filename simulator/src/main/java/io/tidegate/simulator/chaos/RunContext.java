package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a run that its traffic, its faults and its checks share, the trace of the run, and
 * the first violated guarantee. Equal runs have equal hashes of their traces.
 */
final class RunContext {

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  final Scenario scenario;
  final World world;
  final GroundTruth truth = new GroundTruth();
  final Excuses excuses;

  private final @Nullable Consumer<String> reader;
  private long hash = FNV_OFFSET;
  private @Nullable String violation;
  private final List<Runnable> afterEvent = new ArrayList<>();

  RunContext(Scenario scenario, @Nullable Consumer<String> reader) {
    this.scenario = scenario;
    this.world = new World(scenario.seed());
    this.excuses = new Excuses(scenario);
    this.reader = reader;
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

  /** Checks that a guarantee holds. The details of a violation are joined to a text. */
  void check(Guarantee guarantee, boolean holds, Object... details) {
    if (!holds) {
      violated(guarantee, Stream.of(details).map(String::valueOf).collect(Collectors.joining()));
    }
  }

  /** Runs a check after the current event: what happens in one event has no order. */
  void afterEvent(Runnable check) {
    afterEvent.add(check);
  }

  void endEvent() {
    afterEvent.forEach(Runnable::run);
    afterEvent.clear();
  }

  /** Records a violation; only the first one counts. */
  void violated(Guarantee guarantee, String details) {
    if (violation == null) {
      violation = guarantee + ": " + details;
    }
  }

  /** The first violated guarantee; null if all held so far. */
  @Nullable
  String violation() {
    return violation;
  }

  /**
   * Ends the run if a guarantee was violated. Called after the event in which that was found:
   * inside the event, the limiter could catch the exception like a failure of an adapter.
   */
  void throwIfViolated() {
    if (violation != null) {
      throw new IllegalStateException(violation);
    }
  }
}
