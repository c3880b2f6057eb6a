package io.tidegate.catalog;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class CatalogInFileTest extends CatalogContract {

  @TempDir
  private Path directory;

  private Catalog catalog;

  @BeforeEach
  void open() {
    catalog = another();
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  @Override
  Catalog catalog() {
    return catalog;
  }

  @Override
  Catalog another(RandomText random) {
    return Catalog.open(Catalog.urlOfFile(directory), null, null, true, random);
  }

  @Override
  String countOfFirstMigration() {
    return "PRAGMA user_version";
  }

  @Override
  String explain() {
    return "EXPLAIN QUERY PLAN";
  }

  @Override
  List<List<@Nullable String>> query(String sql) {
    try (Connection connection = DriverManager.getConnection(Catalog.urlOfFile(directory));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<List<@Nullable String>> rows = new ArrayList<>();
      while (row.next()) {
        List<@Nullable String> values = new ArrayList<>();
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          values.add(row.getString(i));
        }
        rows.add(values);
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
