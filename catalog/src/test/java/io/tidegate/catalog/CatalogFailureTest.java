package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.TcpProxy;
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

/** Whatever happens to the database: a call fails, nothing is half done, and a later call works. */
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

  /** Each namespace was made by an edit that is in the audit log, and the version counts them. */
  private void checkNothingIsHalfDone(Catalog catalog) throws SQLException {
    long version = catalog.version();
    assertThat(row("SELECT COUNT(*), MAX(version) FROM audit_log"))
        .containsOnly(Long.toString(version));
    assertThat(catalog.changesSince(0).namespaces()).hasSize((int) version - 1);
  }

  @Test
  void killedAndRestarted() throws SQLException {
    Workspace workspace = catalog.createWorkspace("acme", null);
    server.kill();
    assertThatThrownBy(catalog::version).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> catalog.createNamespace(workspace.id(), "login", "key_1"))
        .isInstanceOf(SQLException.class);
    server.restart();
    assertThat(catalog.createNamespace(workspace.id(), "login", "key_1").version())
        .isEqualTo(2);
    checkNothingIsHalfDone(catalog);
  }

  @Test
  void notThereAtFirst() throws SQLException {
    server.kill();
    assertThatThrownBy(() -> catalog.createFirst(Set.of("*"))).isInstanceOf(SQLException.class);
    server.restart();
    assertThat(catalog.createFirst(Set.of("*"))).isPresent();
  }

  @Test
  void diesInTheMiddleOfEdits() throws Exception {
    Workspace workspace = catalog.createWorkspace("acme", null);
    AtomicInteger made = new AtomicInteger();
    AtomicInteger tried = new AtomicInteger();
    Thread writer = new Thread(() -> {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          catalog.createNamespace(workspace.id(), "name " + tried.incrementAndGet(), "key_1");
          made.incrementAndGet();
        } catch (SQLException e) {
          continue; // as it has to, now and then
        }
      }
    });
    writer.start();
    for (int i = 0; i < 30; i++) {
      int before = made.get();
      Waiting.await("an edit", () -> made.get() > before);
      if (i % 10 == 9) {
        server.kill();
        server.restart();
      } else {
        proxy.reset();
      }
    }
    writer.interrupt();
    writer.join();
    checkNothingIsHalfDone(catalog);
    assertThat(catalog.version() - 1).isBetween(made.longValue(), tried.longValue());
  }

  /** An edit that hangs, of a node that is cut off, ends with its connection. */
  @Test
  void editsWaitForOneThatHangsAndNoLongerThanForAnAnswer() throws Exception {
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
      assertThat(catalog.version()).isEqualTo(1); // reading waits for nobody
    }
    Waiting.await(
        "the edit that was given up",
        () -> row("SELECT COUNT(*) FROM information_schema.innodb_trx").contains("0"));
    assertThat(catalog.createNamespace(workspace.id(), "login", "key_1").version())
        .isEqualTo(2);
    checkNothingIsHalfDone(catalog);
  }

  @Test
  void silent() throws SQLException {
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
    checkNothingIsHalfDone(catalog);
  }

  @Test
  void saysWhatIsMissingIfItMayNotMakeIt() throws SQLException {
    try (Catalog looking = open(false)) {
      assertThatThrownBy(looking::version)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("the tables of the catalog are not there")
          .hasMessageContaining("io/tidegate/catalog/migration")
          .hasMessageContaining("migrate(true)");
      assertThat(server.query("SHOW TABLES")).isEmpty();
      catalog.createWorkspace("acme", null); // makes them
      assertThat(looking.version()).isEqualTo(1);
      assertThat(looking.createWorkspace("other", null).version()).isEqualTo(2);
    }
    server.execute("ALTER TABLE tidegate.root_keys DROP COLUMN key_start");
    try (Catalog looking = open(false)) {
      assertThatThrownBy(looking::version).hasMessageContaining("key_start");
    }
  }

  /** A node or the database may die between the tables and the note that they were made. */
  @Test
  void interruptedMigrationIsDoneAgain() throws SQLException {
    catalog.createWorkspace("acme", null);
    server.execute("DROP TABLE tidegate.audit_log");
    server.execute("DELETE FROM tidegate.tidegate_catalog_history");
    try (Catalog other = open(true)) {
      assertThat(other.createWorkspace("other", null).version()).isEqualTo(2);
      assertThat(other.changesSince(0).workspaces()).hasSize(2);
    }
  }

  @Test
  void livesBesideTheCounts() throws SQLException {
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      counters
          .pull(GlobalCounters.EVERYTHING, 0, component -> {})
          .toCompletableFuture()
          .join();
    }
    assertThat(catalog.version()).isZero();
    assertThat(server.query("SHOW TABLES LIKE 'ratelimit_window_counts'")).hasSize(1);
  }
}
