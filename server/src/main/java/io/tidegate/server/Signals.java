package io.tidegate.server;

import io.tidegate.server.log.Log;
import java.lang.reflect.Proxy;

/**
 * What the operating system asks of the process. The JVM by itself would end with a failure, and
 * not hear a second signal while it ends.
 */
final class Signals {

  /** What a shell reports of a process that SIGTERM has ended. */
  private static final int TERMINATED = 143;

  private static boolean asked;

  private Signals() {}

  /** Runs this once, on the first SIGTERM or SIGINT; the second ends the process at once. */
  static void onStop(Runnable stop) {
    handle("TERM", () -> ask(stop));
    handle("INT", () -> ask(stop));
  }

  /** Runs this on every SIGHUP, which would end a JVM otherwise. */
  static void onReload(Runnable reload) {
    try {
      handle("HUP", () -> new Thread(reload, "tidegate-reload").start());
    } catch (IllegalStateException e) {
      Log.debug("this system has no SIGHUP", "reason", e.getMessage());
    }
  }

  /** By reflection, since compilers warn of {@code sun.misc.Signal} and cannot be told not to. */
  private static void handle(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object asking = Proxy.newProxyInstance(
          handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
            if (method.getName().equals("handle")) {
              action.run();
            }
            return null;
          });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), asking);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java cannot handle SIG" + name, e);
    }
  }

  private static synchronized void ask(Runnable stop) {
    if (asked) {
      Runtime.getRuntime().halt(TERMINATED);
    }
    asked = true;
    new Thread(stop, "tidegate-stop").start();
  }
}
