package io.tidegate.simulator.world;

import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The health of a server: it answers calls at once, late, with errors, or not at all. */
public final class Service {

  /** How calls are answered, from best to worst. */
  public enum State {
    /** Calls are executed and answered. */
    UP,
    /** Calls are answered with an error and have no effect. */
    REFUSING,
    /** Calls are not answered and have no effect. */
    SILENT
  }

  private final Timeline timeline;
  private State state = State.UP;
  private long delayNanos;

  Service(Timeline timeline) {
    this.timeline = timeline;
  }

  /** Answers calls without delay again. */
  public void heal() {
    state = State.UP;
    delayNanos = 0;
  }

  /** Changes to this state, unless the current one is worse. */
  public void worsen(State other) {
    state = state.compareTo(other) < 0 ? other : state;
  }

  /** Delays each call by at least this time. */
  public void slowDown(long nanos) {
    delayNanos = Math.max(delayNanos, nanos);
  }

  /** Executes a call that has arrived, with the time of its arrival, and replies. */
  <T> void handle(LongFunction<T> work, BiConsumer<@Nullable T, @Nullable Throwable> reply) {
    long arrivedNanos = timeline.nowNanos();
    if (delayNanos == 0) {
      execute(work, arrivedNanos, reply);
    } else {
      timeline.after(delayNanos, () -> execute(work, arrivedNanos, reply));
    }
  }

  private <T> void execute(
      LongFunction<T> work, long arrivedNanos, BiConsumer<@Nullable T, @Nullable Throwable> reply) {
    if (state == State.UP) {
      reply.accept(work.apply(arrivedNanos), null);
    } else if (state == State.REFUSING) {
      reply.accept(null, new SimulatedException("refused"));
    }
  }
}
