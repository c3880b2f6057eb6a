package io.tidegate.server;

import io.tidegate.server.log.Log;
import java.lang.reflect.Proxy;

/**
 * Handlers of the signals that stop or reload a node. Shutdown hooks are not enough: a JVM that
 * ends because of a signal has a nonzero exit code, and ignores a second signal.
 */
final class Signals {

  /** The exit code that shells report for a process that SIGTERM has ended. */
  private static final int TERMINATED = 143;

  /** Whether a signal has started the stop. Guarded by the class. */
  private static boolean stopping;

  private Signals() {}

  /** Runs an action on the first SIGTERM or SIGINT. The second one ends the process at once. */
  static void onStop(Runnable stop) {
    handle("TERM", () -> stop(stop));
    handle("INT", () -> stop(stop));
  }

  /** Runs an action on every SIGHUP, which would end the JVM otherwise. */
  static void onReload(Runnable reload) {
    try {
      handle("HUP", () -> new Thread(reload, "tidegate-reload").start());
    } catch (IllegalStateException e) {
      Log.debug("cannot handle SIGHUP on this system", "reason", e.getMessage());
    }
  }

  /**
   * Uses reflection, because javac's warning about {@code sun.misc.Signal} cannot be suppressed.
   */
  private static void handle(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object onSignal = Proxy.newProxyInstance(
          handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
            if (method.getName().equals("handle")) {
              action.run();
            }
            return null;
          });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), onSignal);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot handle SIG" + name, e);
    }
  }

  private static synchronized void stop(Runnable action) {
    if (stopping) {
      Runtime.getRuntime().halt(TERMINATED);
    }
    stopping = true;
    new Thread(action, "tidegate-stop").start();
  }
}
