package io.tidegate.jdbc;

import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code ./tidegate cleanup} runs. */
final class CleanupCommand {

  private static final String USAGE = """
      Usage: tidegate cleanup --jdbc-url URL [--user NAME]

      Deletes the rows of ratelimit_window_counts that weigh on no decision any more, in batches of 25,000. Nodes may
      go on meanwhile, and several may clean at once. Nodes do this by themselves unless they are told not to.

        --jdbc-url URL   where the database is: jdbc:mariadb://host:3306/database, for MySQL too
        --user NAME      who connects, if the URL does not say; the password is read from TIDEGATE_JDBC_PASSWORD
        -h, --help       this text
      """;

  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int BAD_USAGE = 2;

  private CleanupCommand() {}

  /** Ends the JVM with 0, with 1 if the database fails, with 2 for bad arguments. */
  public static void main(String[] arguments) {
    System.exit(
        run(List.of(arguments), System.getenv("TIDEGATE_JDBC_PASSWORD"), System.out, System.err));
  }

  static int run(
      List<String> arguments, @Nullable String password, PrintStream out, PrintStream err) {
    String jdbcUrl = null;
    String user = null;
    Deque<String> left = new ArrayDeque<>(arguments);
    while (!left.isEmpty()) {
      String option = left.remove();
      switch (option) {
        case "-h", "--help" -> {
          out.print(USAGE);
          return OK;
        }
        case "--jdbc-url" -> jdbcUrl = left.poll();
        case "--user" -> user = left.poll();
        default -> {
          err.println("tidegate cleanup: unknown option: " + option);
          err.print(USAGE);
          return BAD_USAGE;
        }
      }
    }
    if (jdbcUrl == null) {
      err.println("tidegate cleanup: --jdbc-url is missing");
      err.print(USAGE);
      return BAD_USAGE;
    }
    return clean(jdbcUrl, user, password, out, err);
  }

  private static int clean(
      String jdbcUrl,
      @Nullable String user,
      @Nullable String password,
      PrintStream out,
      PrintStream err) {
    try {
      long deleted = JdbcGlobalCounters.cleanUp(
          jdbcUrl,
          user,
          password,
          rows -> err.println("tidegate cleanup: " + rows + " rows deleted so far"));
      out.println("deleted " + deleted + " expired rows of ratelimit_window_counts");
      return OK;
    } catch (IllegalArgumentException e) {
      err.println("tidegate cleanup: " + e.getMessage());
      return BAD_USAGE;
    } catch (SQLException e) {
      err.println("tidegate cleanup: " + OwnConnections.name(jdbcUrl) + " failed: "
          + SqlFailures.reason(e));
      return FAILED;
    }
  }
}
