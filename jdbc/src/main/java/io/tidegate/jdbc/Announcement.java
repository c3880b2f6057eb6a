package io.tidegate.jdbc;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A record that a region is alive.
 *
 * @param region the name of the region, as UTF-8
 * @param identity the identity of the region, as UTF-8
 */
record Announcement(byte[] region, byte[] identity) {

  /** As many characters as the columns have room for, of three bytes each. */
  private static final int MOST_CHARACTERS = 64;

  /**
   * An announcement.
   *
   * @throws IllegalArgumentException if a name is too long or not text
   */
  static Announcement of(String region, String identity) {
    return new Announcement(bytes("region", region), bytes("identity", identity));
  }

  private static byte[] bytes(String name, String value) {
    if (value.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          name + " must have at most " + MOST_CHARACTERS + " characters: " + value);
    }
    try {
      ByteBuffer encoded = Sha256.utf8(value);
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(name + " must not have half a surrogate pair: " + value);
    }
  }

  /**
   * Records this announcement. It locks no row but its own, so that none waits in a circle.
   *
   * @return the announcements of other identities with the same name
   */
  long record(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Sql.ANNOUNCE)) {
      set(statement);
      statement.executeUpdate();
    }
    try (PreparedStatement statement = connection.prepareStatement(Sql.ANNOUNCED)) {
      set(statement);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong("announcements");
      }
    }
  }

  private void set(PreparedStatement statement) throws SQLException {
    statement.setBytes(1, region);
    statement.setBytes(2, identity);
  }
}
