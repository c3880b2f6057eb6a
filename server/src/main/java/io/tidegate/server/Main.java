package io.tidegate.server;

import io.tidegate.server.command.Commands;
import io.tidegate.server.log.LastingLogManager;
import io.tidegate.server.log.LogFormat;
import io.tidegate.server.log.LogLevel;
import io.tidegate.server.log.Logging;

/** The program. */
public final class Main {

  private Main() {}

  /** Does what the arguments say, and ends the JVM with 0 if that went well. */
  public static void main(String[] arguments) {
    LastingLogManager.install();
    // A command tells by itself what went wrong; serve says how much it wants to hear.
    Logging.configure(LogFormat.TEXT, LogLevel.ERROR, System.err);
    System.exit(Commands.commandLine(System.getenv(), System.out, System.err, Server::run)
        .execute(arguments));
  }
}
