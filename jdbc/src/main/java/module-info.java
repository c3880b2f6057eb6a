/**
 * The global counters in MySQL or MariaDB.
 *
 * <p>Start at {@link io.tidegate.jdbc.JdbcGlobalCounters}.
 */
@org.jspecify.annotations.NullMarked
module io.tidegate.jdbc {
  requires transitive io.tidegate.core;
  requires transitive java.sql;

  exports io.tidegate.jdbc;
}
