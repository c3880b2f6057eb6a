package io.tidegate.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** SQL statements, which are resources next to this class. */
final class Sql {

  static final String MARK = read("mark.sql");
  static final String PULL = read("pull.sql");
  static final String PULL_OWN = read("pull_own.sql");
  static final String COUNTING_REGIONS = read("counting_regions.sql");
  static final String EXPIRED = read("expired.sql");
  static final String EXPIRED_REGIONS = read("expired_regions.sql");
  static final String ANNOUNCE = read("announce.sql");
  static final String ANNOUNCED = read("announced.sql");

  private static final String PUSH = read("push.sql");
  private static final String COMPONENTS = read("components.sql");

  /** A row of the push statement; the last column is the time of the database in UTC. */
  private static final String ROW = "(?, ?, ?, ?, ?, ?, ?, ?, ?,"
      + " TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)";

  private Sql() {}

  /** Returns the statement that pushes a number of components. */
  static String push(int rows) {
    return PUSH.replace("/*rows*/", ROW + (",\n    " + ROW).repeat(rows - 1));
  }

  /** Returns the statement that reads the rows of a number of keys. */
  static String components(int keys) {
    return COMPONENTS.replace("/*keys*/", "?" + ", ?".repeat(keys - 1));
  }

  /** Returns the statement that deletes a number of rows. */
  static String delete(int rows) {
    return "DELETE FROM ratelimit_window_counts WHERE pk IN (?" + ", ?".repeat(rows - 1) + ")";
  }

  static String read(String name) {
    try (InputStream file = Sql.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException("missing from the jar: " + name);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
