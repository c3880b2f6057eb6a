package io.tidegate.grpc;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Actions that are held back until {@link #open}, and run at once afterwards.
 *
 * <p>Their order is kept. No lock is held while an action runs, because it may run code of the
 * application. Actions may be added by any thread, of which one at a time may do so, as gRPC
 * requires for calls and listeners.
 */
final class HeldActions {

  private volatile boolean open;

  /** Guarded by this. */
  private final Queue<Runnable> held = new ArrayDeque<>();

  /** Runs an action now, or after those that are held back. */
  void run(Runnable action) {
    if (!open && hold(action)) {
      return;
    }
    action.run();
  }

  private synchronized boolean hold(Runnable action) {
    if (!open) {
      held.add(action);
    }
    return !open;
  }

  /** Runs the actions that are held back, also those that are added meanwhile. */
  void open() {
    for (Runnable next = next(); next != null; next = next()) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    Runnable next = held.poll();
    open = next == null;
    return next;
  }
}
