package io.tidegate.jdbc;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;

/**
 * A component as a row of {@code ratelimit_window_counts}.
 *
 * @param pk the first 128 bits of the SHA-256 of names, window and sequence; a cryptographic hash,
 *     because users choose names
 * @param component the component
 * @param bytes upper bound of its size in a statement, with every character escaped
 */
@SuppressWarnings("ArrayRecordComponent") // rows are compared by KEY_ORDER only
record CounterRow(byte[] pk, Component component, int bytes) {

  /** Number of parameters of a row in the statement. */
  static final int PARAMETERS = 9;

  /**
   * The order of the primary key. Every writer locks its rows in this order, so that two writers
   * never wait for each other.
   */
  static final Comparator<CounterRow> KEY_ORDER =
      Comparator.comparing(CounterRow::pk, Arrays::compareUnsigned);

  private static final int PK_BYTES = 16;

  /** Upper bound of the size of a row without names: numbers, quotes and commas. */
  private static final int BYTES_WITHOUT_NAMES = 250;

  /**
   * Creates the row of a component.
   *
   * @throws CharacterCodingException if a name has an unpaired surrogate
   */
  static CounterRow of(Component component) throws CharacterCodingException {
    Series series = component.cell().series();
    MessageDigest digest = sha256();
    digest.update(ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(series.scope().windowMillis())
        .putLong(component.cell().sequence())
        .flip());
    int nameBytes = update(digest, series.scope().workspace())
        + update(digest, series.scope().namespace())
        + update(digest, series.identifier())
        + update(digest, component.region());
    return new CounterRow(
        Arrays.copyOf(digest.digest(), PK_BYTES), component, BYTES_WITHOUT_NAMES + 2 * nameBytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** Hashes the length before the name, so that no two lists of names have the same input. */
  private static int update(MessageDigest digest, String name) throws CharacterCodingException {
    ByteBuffer bytes = Utf8.encode(name);
    int length = bytes.remaining();
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(length).flip());
    digest.update(bytes);
    return length;
  }

  /** Sets the parameters of this row, after those of the rows before it. */
  void set(PreparedStatement statement, int rowsBefore) throws SQLException {
    WindowCell cell = component.cell();
    Scope scope = cell.series().scope();
    int parameter = rowsBefore * PARAMETERS;
    statement.setBytes(++parameter, pk);
    statement.setString(++parameter, scope.workspace());
    statement.setString(++parameter, scope.namespace());
    statement.setString(++parameter, cell.series().identifier());
    statement.setLong(++parameter, scope.windowMillis());
    statement.setLong(++parameter, cell.sequence());
    statement.setString(++parameter, component.region());
    statement.setLong(++parameter, component.count());
    statement.setLong(++parameter, cell.expiresAtMillis());
  }

  /**
   * Reads the component of the current row.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  static Component read(ResultSet row) throws SQLException {
    Scope scope = new Scope(
        row.getString("workspace_id"), row.getString("namespace"), row.getLong("duration_ms"));
    WindowCell cell =
        new WindowCell(new Series(scope, row.getString("identifier")), row.getLong("sequence"));
    return new Component(row.getString("region"), cell, row.getLong("count"));
  }
}
