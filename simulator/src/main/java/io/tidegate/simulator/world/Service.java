package io.tidegate.simulator.world;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** How a server takes calls, whatever it keeps: at once, late, with an error, or not at all. */
public final class Service {

  /** What becomes of a call. */
  public enum State {
    /** It is answered. */
    UP,
    /** It is answered with an error, and nothing is done. */
    REFUSING,
    /** Nothing is done, and nothing is ever said. */
    SILENT
  }

  private final Timeline timeline;
  private State state = State.UP;
  private long delayNanos;

  Service(Timeline timeline) {
    this.timeline = timeline;
  }

  public void become(State state) {
    this.state = state;
  }

  /** How long each call takes from now on. */
  public void takeNanos(long delayNanos) {
    this.delayNanos = delayNanos;
  }

  public boolean isUp() {
    return state == State.UP;
  }

  /** What is told how a call went. */
  interface Reply<T> {

    /** It was done, and this came of it; or it failed. */
    void done(@Nullable T value, @Nullable Throwable failure);
  }

  /**
   * Takes a call that has arrived.
   *
   * @param work does it, is told when it arrived, and may throw
   * @param reply is told when it is done
   */
  <T> void handle(LongFunction<T> work, Reply<T> reply) {
    long arrivedNanos = timeline.nowNanos();
    if (delayNanos == 0) {
      doIt(work, arrivedNanos, reply);
    } else {
      timeline.after(delayNanos, () -> doIt(work, arrivedNanos, reply));
    }
  }

  private <T> void doIt(LongFunction<T> work, long arrivedNanos, Reply<T> reply) {
    switch (state) {
      case UP -> {
        T value;
        try {
          value = work.apply(arrivedNanos);
        } catch (SimulatedException e) {
          reply.done(null, e);
          return;
        }
        reply.done(value, null);
      }
      case REFUSING -> reply.done(null, new SimulatedException("refused"));
      case SILENT -> {
        // nobody will know
      }
    }
  }
}
