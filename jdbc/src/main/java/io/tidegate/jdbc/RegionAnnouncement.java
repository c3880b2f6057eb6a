package io.tidegate.jdbc;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * An announcement that a region with this name and identity exists.
 *
 * @param region the name of the region, as UTF-8
 * @param identity the identity of the region, as UTF-8
 */
@SuppressWarnings("ArrayRecordComponent") // announcements are not compared
record RegionAnnouncement(byte[] region, byte[] identity) {

  /** Length of the columns, 192 bytes, with three bytes per character. */
  private static final int MAX_CHARACTERS = 64;

  /**
   * Encodes an announcement.
   *
   * @throws IllegalArgumentException if a name is too long or not valid text
   */
  static RegionAnnouncement of(String region, String identity) {
    return new RegionAnnouncement(bytes("region", region), bytes("identity", identity));
  }

  private static byte[] bytes(String name, String value) {
    if (value.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          name + " must have at most " + MAX_CHARACTERS + " characters: " + value);
    }
    try {
      ByteBuffer encoded = Utf8.encode(value);
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(name + " must not have an unpaired surrogate: " + value);
    }
  }

  /**
   * Stores this announcement. Locks only its own row, so that announcements cannot deadlock.
   *
   * @return the number of announcements with the same name and other identities
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
