package io.tidegate.server.log;

import java.util.logging.LogManager;

/**
 * Keeps the log until the process has ended. The one that Java has takes the handlers away as soon
 * as the process is told to stop, while the server still has to say how it stopped.
 *
 * <p>Java takes it if its name is the system property {@link #PROPERTY} before anything of logging
 * is touched, this class included.
 */
public final class LastingLogManager extends LogManager {

  /** Known when this is compiled, so that using it does not touch the class. */
  public static final String PROPERTY = "java.util.logging.manager";

  /** Nothing: this is what Java calls when the process is told to stop. */
  @Override
  public void reset() {}
}
