package io.tidegate.server.command;

import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.server.config.CatalogConfig;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Deletes expired rows of the global counters. */
@Command(
    name = "cleanup",
    description = {
      "Delete expired rows of ratelimit_window_counts, in batches of 25,000.",
      "",
      "Safe while nodes and other cleanups run. Nodes clean up by themselves unless the setting 'cleanup' is false."
    })
final class CleanupCommand implements Runnable {

  private final Map<String, String> environment;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  CleanupCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public void run() {
    CatalogConfig database =
        CatalogConfig.read(command.commandLine().getParseResult(), environment);
    if (database.jdbcUrl() == null) {
      throw new ParameterException(
          command.commandLine(), "jdbc-url is missing: the database with the global counters");
    }
    PrintWriter err = command.commandLine().getErr();
    try {
      long deleted = JdbcGlobalCounters.cleanUp(
          database.jdbcUrl(),
          database.user(),
          database.password(),
          rows -> err.println("tidegate: " + rows + " rows deleted so far"));
      command
          .commandLine()
          .getOut()
          .println("deleted " + deleted + " expired rows of ratelimit_window_counts");
    } catch (SQLException e) {
      throw new Failure("cleanup of " + database + " failed: " + Commands.reason(e));
    }
  }
}
