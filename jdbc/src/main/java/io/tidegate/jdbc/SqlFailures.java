package io.tidegate.jdbc;

import java.sql.SQLException;

/** Classifies failures that a database reports. */
final class SqlFailures {

  private SqlFailures() {}

  /** Whether a statement was rejected for its values, and would be rejected again. */
  static boolean isAboutValues(SQLException e) {
    String state = e.getSQLState();
    return (state != null && (state.startsWith("22") || state.startsWith("23")))
        || e.getErrorCode() == 1366; // a character outside the column's character set
  }

  /** Whether a table or column is missing, or the user has no privilege for it. */
  static boolean isAboutTables(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith("42");
  }

  /** Returns the reason of a failure. A pool that cannot connect names it in the cause only. */
  static String reason(Exception failure) {
    Throwable cause = failure.getCause();
    return String.valueOf(cause == null ? failure.getMessage() : cause.getMessage());
  }
}
