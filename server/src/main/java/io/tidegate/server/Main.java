package io.tidegate.server;

import io.tidegate.server.command.Commands;
import io.tidegate.server.command.Failure;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.log.LastingLogManager;
import io.tidegate.server.log.LogFormat;
import io.tidegate.server.log.LogLevel;
import io.tidegate.server.log.Logging;
import java.io.PrintStream;

/** The program. */
public final class Main {

  private Main() {}

  /** Does what the arguments say, and ends the JVM with 0 if that went well. */
  public static void main(String[] arguments) {
    System.setProperty(LastingLogManager.PROPERTY, LastingLogManager.class.getName());
    // A command tells by itself what went wrong; serve says how much it wants to hear.
    Logging.configure(LogFormat.TEXT, LogLevel.ERROR, System.err);
    System.exit(Commands.commandLine(System.getenv(), System.out, System.err, Main::serve)
        .execute(arguments));
  }

  private static int serve(ServerConfig config, PrintStream out) {
    try {
      return Server.run(config, out);
    } catch (ServerException e) {
      throw new Failure(e.getMessage());
    }
  }
}
