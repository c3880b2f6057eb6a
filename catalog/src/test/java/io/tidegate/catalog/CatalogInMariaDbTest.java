package io.tidegate.catalog;

import io.tidegate.testkit.MariaDbServer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class CatalogInMariaDbTest extends CatalogContract {

  private static MariaDbServer server;
  private Catalog catalog;

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void empty() {
    server.execute(
        "DROP TABLE IF EXISTS catalog_version, workspaces, root_keys,"
            + " ratelimit_namespaces, ratelimit_overrides, audit_log, tidegate_nodes, tidegate_catalog_history");
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
    return Catalog.open(server.jdbcUrl(), null, null, true, random);
  }

  @Override
  String countOfFirstMigration() {
    return "SELECT COUNT(*) FROM tidegate_catalog_history WHERE version = '1'";
  }

  @Override
  String explain() {
    return "EXPLAIN";
  }

  @Override
  List<List<@Nullable String>> query(String sql) {
    return server.query(sql);
  }
}
