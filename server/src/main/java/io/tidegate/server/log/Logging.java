package io.tidegate.server.log;

import java.io.PrintStream;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Where all that is logged goes, by the server and by the libraries that it is made of. */
public final class Logging {

  private static final Logger ROOT = Logger.getLogger("");

  /** Kept here, or Java would forget their levels with them. */
  private static final List<Logger> OTHERS = Stream.of(
          "io.netty", "io.vertx", "io.lettuce", "org.flywaydb", "org.mariadb", "org.h2", "reactor")
      .map(Logger::getLogger)
      .toList();

  /** Warns of each attempt to connect to a database that is gone, where we say once that it is. */
  private static final Logger POOL = Logger.getLogger("com.zaxxer");

  private Logging() {}

  /**
   * Sends everything to one stream, one line for each event. What libraries tell is shown if it is
   * a warning; with {@link LogLevel#DEBUG}, also what they say about their normal work.
   */
  public static void configure(LogFormat format, LogLevel level, PrintStream out) {
    for (Handler handler : ROOT.getHandlers()) {
      ROOT.removeHandler(handler);
    }
    ROOT.addHandler(
        new LineHandler(format == LogFormat.JSON ? new JsonLine() : new TextLine(), out));
    ROOT.setLevel(level.level());
    Level ofOthers = switch (level) {
      case ERROR -> Level.SEVERE;
      case WARN, INFO -> Level.WARNING;
      case DEBUG -> Level.INFO;
    };
    OTHERS.forEach(logger -> logger.setLevel(ofOthers));
    POOL.setLevel(level == LogLevel.DEBUG ? Level.INFO : Level.SEVERE);
  }
}
