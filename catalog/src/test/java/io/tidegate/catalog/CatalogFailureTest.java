package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.TcpProxy;
import io.tidegate.testkit.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Failures of the database: a call fails, no edit is incomplete, and a later call works. */
class CatalogFailureTest {

  private MariaDbServer server;
  private TcpProxy proxy;
  private Catalog catalog;

  @BeforeEach
  void start() {
    server = MariaDbServer.start();
    proxy = TcpProxy.start(server.port());
    catalog = open(true);
  }

  @AfterEach
  void stop() {
    catalog.close();
    proxy.close();
    server.close();
  }

  private Catalog open(boolean migrate) {
    String url = server.jdbcUrl().replace(":" + server.port(), ":" + proxy.port());
    return Catalog.open(url, null, null, migrate);
  }

  private List<String> row(String sql) {
    return server.query(sql).get(0);
  }

  /** Each namespace has an entry in the audit log, and the version counts the entries. */
  private void checkEveryEditIsComplete(Catalog catalog) throws SQLException {
    long version = catalog.version();
    assertThat(row("SELECT COUNT(*), MAX(version) FROM audit_log"))
        .containsOnly(Long.toString(version));
    assertThat(catalog.changesSince(0).namespaces()).hasSize((int) version - 1);
  }

  @Test
  void worksAfterARestartOfTheDatabase() throws SQLException {
    Workspace workspace = catalog.createWorkspace("acme", null);
    server.kill();
    assertThatThrownBy(catalog::version).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> catalog.createNamespace(workspace.id(), "login", "key_1"))
        .isInstanceOf(SQLException.class);
    server.restart();
    assertThat(catalog.createNamespace(workspace.id(), "login", "key_1").version())
        .isEqualTo(2);
    checkEveryEditIsComplete(catalog);
  }

  @Test
  void worksWhenTheDatabaseStartsLater() throws SQLException {
    server.kill();
    assertThatThrownBy(() -> catalog.createFirst(Set.of("*"))).isInstanceOf(SQLException.class);
    server.restart();
    assertThat(catalog.createFirst(Set.of("*"))).isPresent();
  }

  @Test
  void isConsistentWhenTheDatabaseDiesDuringEdits() throws Exception {
    Workspace workspace = catalog.createWorkspace("acme", null);
    AtomicInteger created = new AtomicInteger();
    AtomicInteger tried = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    Thread writer = new Thread(() -> {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          catalog.createNamespace(workspace.id(), "name " + tried.incrementAndGet(), "key_1");
          created.incrementAndGet();
        } catch (SQLException e) {
          failed.incrementAndGet(); // expected while the database is down
        }
      }
    });
    writer.start();
    for (int i = 0; i < 30; i++) {
      int before = created.get();
      Waiting.await("an edit", () -> created.get() > before);
      if (i % 10 == 9) {
        server.kill();
        server.restart();
      } else {
        proxy.reset();
      }
    }
    writer.interrupt();
    writer.join();
    checkEveryEditIsComplete(catalog);
    assertThat(failed.get()).isPositive();
    assertThat(catalog.version() - 1).isBetween(created.longValue(), tried.longValue());
  }

  /** The database ends the edit of a disconnected node with its connection. */
  @Test
  void editsWaitForABlockedEditUpToTheAnswerTimeout() throws Exception {
    Workspace workspace = catalog.createWorkspace("acme", null);
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("UPDATE catalog_version SET version = version + 1");
      long beganNanos = System.nanoTime();
      assertThatThrownBy(() -> catalog.createNamespace(workspace.id(), "login", "key_1"))
          .isInstanceOf(SQLException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
          .isBetween(Duration.ofSeconds(8), Duration.ofSeconds(20));
      assertThat(catalog.version()).isEqualTo(1); // reads do not wait for edits
    }
    Waiting.await(
        "the rollback of the blocked edit",
        () -> row("SELECT COUNT(*) FROM information_schema.innodb_trx").contains("0"));
    assertThat(catalog.createNamespace(workspace.id(), "login", "key_1").version())
        .isEqualTo(2);
    checkEveryEditIsComplete(catalog);
  }

  @Test
  void failsWhenTheDatabaseDoesNotAnswer() throws SQLException {
    Workspace workspace = catalog.createWorkspace("acme", null);
    proxy.blackHole(true);
    assertThatThrownBy(() -> catalog.createNamespace(workspace.id(), "login", "key_1"))
        .isInstanceOf(SQLException.class);
    proxy.heal();
    proxy.reset();
    Waiting.await("an answer", () -> {
      try {
        catalog.createNamespace(workspace.id(), "login", "key_1");
        return true;
      } catch (SQLException e) {
        return false;
      }
    });
    checkEveryEditIsComplete(catalog);
  }

  @Test
  void withoutMigrationMissingTablesAreReported() throws SQLException {
    try (Catalog checking = open(false)) {
      assertThatThrownBy(checking::version)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("the tables of the catalog are missing")
          .hasMessageContaining("io/tidegate/catalog/migration")
          .hasMessageContaining("migrate(true)");
      assertThat(server.query("SHOW TABLES")).isEmpty();
      catalog.createWorkspace("acme", null); // creates them
      assertThat(checking.version()).isEqualTo(1);
      assertThat(checking.createWorkspace("other", null).version()).isEqualTo(2);
    }
    server.execute("ALTER TABLE tidegate.root_keys DROP COLUMN key_start");
    try (Catalog checking = open(false)) {
      assertThatThrownBy(checking::version).hasMessageContaining("key_start");
    }
  }

  /** A node may die after it created the tables and before it recorded the migration. */
  @Test
  void interruptedMigrationIsRepeated() throws SQLException {
    catalog.createWorkspace("acme", null);
    server.execute("DROP TABLE tidegate.audit_log");
    server.execute("DELETE FROM tidegate.tidegate_catalog_history");
    try (Catalog other = open(true)) {
      assertThat(other.createWorkspace("other", null).version()).isEqualTo(2);
      assertThat(other.changesSince(0).workspaces()).hasSize(2);
    }
  }

  @Test
  void sharesADatabaseWithTheGlobalCounters() throws SQLException {
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      counters
          .pull("none", GlobalCounters.EVERYTHING, 0, component -> {})
          .toCompletableFuture()
          .join();
    }
    assertThat(catalog.version()).isZero();
    assertThat(server.query("SHOW TABLES LIKE 'ratelimit_window_counts'")).hasSize(1);
  }
}
