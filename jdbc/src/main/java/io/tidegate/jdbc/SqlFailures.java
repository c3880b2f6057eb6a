package io.tidegate.jdbc;

import java.sql.SQLException;

/** Kinds of failures that a database reports. */
final class SqlFailures {

  private SqlFailures() {}

  /** Whether a statement was refused for its values, and would be however often it is sent. */
  static boolean isAboutValues(SQLException e) {
    String state = e.getSQLState();
    return state != null && (state.startsWith("22") || state.startsWith("23"))
        || e.getErrorCode() == 1366; // a character that a column's character set does not have
  }

  /** Whether a table or a column is missing, or this user has no right to it. */
  static boolean isAboutTables(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith("42");
  }

  /** Why it failed. A pool that cannot connect says only that it waited; the cause says more. */
  static String reason(Exception failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure.getMessage() : cause.getMessage();
  }
}
