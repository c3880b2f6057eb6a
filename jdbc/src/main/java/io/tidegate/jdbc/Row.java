package io.tidegate.jdbc;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.MessageDigest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;

/**
 * A component as it stands in the table.
 *
 * @param pk hash of all that tells it from others: 128 bits of SHA-256, since names are chosen by
 *     strangers
 * @param component what it says
 * @param bytes most that it takes of a statement, every character escaped
 */
record Row(byte[] pk, Component component, int bytes) {

  /** As many parameters as a row has in the statement. */
  static final int PARAMETERS = 9;

  /**
   * The order of the primary key: whoever writes several rows locks them in this order, so that
   * none waits for one that waits for it.
   */
  static final Comparator<Row> KEY_ORDER = Comparator.comparing(Row::pk, Arrays::compareUnsigned);

  private static final int PK_BYTES = 16;

  /** What its numbers, quotes and commas take at most. */
  private static final int BYTES_BESIDE_NAMES = 250;

  /**
   * The row of a component.
   *
   * @throws CharacterCodingException if a name has half a surrogate pair, which is no text
   */
  static Row of(Component component) throws CharacterCodingException {
    Series series = component.cell().series();
    MessageDigest digest = Sha256.digest();
    digest.update(ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(series.scope().windowMillis())
        .putLong(component.cell().sequence())
        .flip());
    int nameBytes = update(digest, series.scope().workspace())
        + update(digest, series.scope().namespace())
        + update(digest, series.identifier())
        + update(digest, component.region());
    return new Row(
        Arrays.copyOf(digest.digest(), PK_BYTES), component, BYTES_BESIDE_NAMES + 2 * nameBytes);
  }

  /** With its length first, so that no two lists of names look alike. */
  private static int update(MessageDigest digest, String name) throws CharacterCodingException {
    ByteBuffer bytes = Sha256.utf8(name);
    int length = bytes.remaining();
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(length).flip());
    digest.update(bytes);
    return length;
  }

  /** Sets the parameters of this row, which follow those of the rows before it. */
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
   * The component of a row that was read.
   *
   * @throws IllegalArgumentException if no limiter can have written it
   */
  static Component read(ResultSet row) throws SQLException {
    Scope scope = new Scope(
        row.getString("workspace_id"), row.getString("namespace"), row.getLong("duration_ms"));
    WindowCell cell =
        new WindowCell(new Series(scope, row.getString("identifier")), row.getLong("sequence"));
    return new Component(row.getString("region"), cell, row.getLong("count"));
  }
}
