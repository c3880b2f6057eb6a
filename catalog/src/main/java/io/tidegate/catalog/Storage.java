package io.tidegate.catalog;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;

/** The database product that stores a catalog: MySQL or MariaDB, or a file. */
interface Storage {

  /** The connections to the database. Closed by the caller. */
  HikariDataSource connections();

  /**
   * Creates or upgrades the tables. Does nothing if they are up to date. Several nodes may call
   * this at once; one of them does the work and the others wait.
   *
   * @return whether tables were created or upgraded
   * @throws IllegalStateException if the tables cannot be created, with a message that says what to
   *     do
   * @throws SQLException if the database is unavailable
   */
  boolean migrate() throws SQLException;

  /** The failure to report for a failure of the database: the same, or a clearer one. */
  default SQLException explain(SQLException failure) {
    return failure;
  }
}
