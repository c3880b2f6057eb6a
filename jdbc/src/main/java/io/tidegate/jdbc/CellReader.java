package io.tidegate.jdbc;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import java.nio.charset.CharacterCodingException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the components of one cell. The primary key is a hash of all names, so the keys of the cell
 * are computed for every region that has rows.
 */
final class CellReader {

  /** Length of the column {@code region}, in characters. */
  private static final int MAX_REGION_LENGTH = 48;

  private final Connections connections;

  CellReader(Connections connections) {
    this.connections = connections;
  }

  /** As {@link io.tidegate.spi.GlobalCounters#components}. */
  List<Component> read(WindowCell cell) throws SQLException {
    return connections.use(connection -> {
      List<byte[]> keys = keys(cell, regions(connection));
      return keys.isEmpty() ? List.of() : read(connection, keys);
    });
  }

  /**
   * The regions that have rows. The database compares them as text, where names that differ in
   * trailing blanks are equal and it returns one of them; this method returns all.
   */
  private static List<String> regions(Connection connection) throws SQLException {
    List<String> regions = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(Sql.COUNTING_REGIONS)) {
      while (rows.next()) {
        String name = rows.getString("region").replaceFirst(" +$", "");
        int blanks = MAX_REGION_LENGTH - name.codePointCount(0, name.length());
        for (int i = name.isEmpty() ? 1 : 0; i <= blanks; i++) {
          regions.add(name + " ".repeat(i));
        }
      }
    }
    return regions;
  }

  private static List<byte[]> keys(WindowCell cell, List<String> regions) {
    List<byte[]> keys = new ArrayList<>(regions.size());
    try {
      for (String region : regions) {
        keys.add(CounterRow.of(new Component(region, cell, 1)).pk());
      }
    } catch (CharacterCodingException e) {
      return List.of(); // a push of this cell is rejected, so it has no rows
    }
    return keys;
  }

  private static List<Component> read(Connection connection, List<byte[]> keys)
      throws SQLException {
    List<Component> components = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(Sql.components(keys.size()))) {
      for (int i = 0; i < keys.size(); i++) {
        statement.setBytes(i + 1, keys.get(i));
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          components.add(CounterRow.read(rows));
        }
      }
    }
    return components;
  }
}
