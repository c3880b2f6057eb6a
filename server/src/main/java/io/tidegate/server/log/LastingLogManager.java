package io.tidegate.server.log;

import java.util.logging.LogManager;

/**
 * Keeps the log until the process has ended. The one that Java has takes the handlers away as soon
 * as the process is told to stop, while the server still has to say how it stopped.
 */
public final class LastingLogManager extends LogManager {

  /** Has to be called before anything is logged. */
  public static void install() {
    System.setProperty("java.util.logging.manager", LastingLogManager.class.getName());
  }

  /** Nothing: this is what Java calls when the process is told to stop. */
  @Override
  public void reset() {}
}
