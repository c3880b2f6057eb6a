package io.tidegate.jdbc;

import io.tidegate.spi.Component;
import java.nio.charset.CharacterCodingException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes components to the table: raises counts, and never lowers them. Used by the push thread.
 */
final class ComponentWriter {

  /**
   * Approximate maximum size of a statement. Names can be long, and some databases accept only a
   * megabyte ({@code max_allowed_packet}).
   */
  private static final int STATEMENT_BYTES = 500_000;

  private final Connections connections;
  private final RowWarning rejections = new RowWarning(
      "The database rejected {0} counts: a value does not fit its column, or a name is not valid text");

  private final Overlap overlap;

  /**
   * A writer.
   *
   * @param overlap receives the duration of each statement
   */
  ComponentWriter(Connections connections, Overlap overlap) {
    this.connections = connections;
    this.overlap = overlap;
  }

  /**
   * Writes components in the order of their keys.
   *
   * @return the components that the database can never store
   * @throws SQLException if the database fails; some components may have been written
   */
  List<Component> write(List<Component> components) throws SQLException {
    List<Component> rejected = new ArrayList<>();
    List<CounterRow> rows = new ArrayList<>(components.size());
    for (Component component : components) {
      try {
        rows.add(CounterRow.of(component));
      } catch (CharacterCodingException e) {
        rejected.add(component);
      }
    }
    rows.sort(CounterRow.KEY_ORDER);
    writeAll(rows, rejected);
    if (!rejected.isEmpty()) {
      rejections.log(rejected.size(), rejected.get(0));
    }
    return rejected;
  }

  private void writeAll(List<CounterRow> rows, List<Component> rejected) throws SQLException {
    for (int from = 0, to; from < rows.size(); from = to) {
      to = endOfStatement(rows, from);
      writeOrSplit(rows.subList(from, to), rejected);
    }
  }

  private static int endOfStatement(List<CounterRow> rows, int from) {
    int to = from;
    for (int bytes = 0; to < rows.size() && (to == from || bytes < STATEMENT_BYTES); to++) {
      bytes += rows.get(to).bytes();
    }
    return to;
  }

  /** Writes rows in one statement. If the database rejects a value, writes each half by itself. */
  private void writeOrSplit(List<CounterRow> rows, List<Component> rejected) throws SQLException {
    try {
      writeStatement(rows);
    } catch (SQLException e) {
      if (!SqlFailures.isAboutValues(e)) {
        throw e;
      }
      if (rows.size() == 1) {
        rejected.add(rows.get(0).component());
      } else {
        writeOrSplit(rows.subList(0, rows.size() / 2), rejected);
        writeOrSplit(rows.subList(rows.size() / 2, rows.size()), rejected);
      }
    }
  }

  private void writeStatement(List<CounterRow> rows) throws SQLException {
    connections.use(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(Sql.push(rows.size()))) {
        for (int i = 0; i < rows.size(); i++) {
          rows.get(i).set(statement, i);
        }
        long startNanos = System.nanoTime();
        try {
          return statement.executeUpdate();
        } finally {
          overlap.statementTook(System.nanoTime() - startNanos);
        }
      }
    });
  }
}
