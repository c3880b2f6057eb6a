package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CounterSchemaTest {

  private static final List<String> TABLES =
      List.of("ratelimit_window_counts", "ratelimit_regions", "tidegate_schema");

  private static MariaDbServer server;

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
        "DROP TABLE IF EXISTS ratelimit_window_counts, ratelimit_regions, tidegate_schema,"
            + " tidegate_schema_history, flyway_schema_history");
    server.execute("ALTER DATABASE tidegate CHARACTER SET utf8mb4");
  }

  private static CompletionStage<Long> pull(GlobalCounters counters) {
    return counters.pull("none", GlobalCounters.EVERYTHING, 0, component -> {});
  }

  private static String failure(CompletionStage<?> stage) {
    return stage
        .handle((value, failure) -> {
          if (failure != null) {
            assertThat(failure).hasNoCause(); // logs show only the root cause
          }
          return failure == null ? "none" : failure.toString();
        })
        .toCompletableFuture()
        .join();
  }

  private static List<String> tables() {
    return server.query("SHOW TABLES").stream().map(row -> row.get(0)).toList();
  }

  private static Component component(String identifier, long count) {
    return new Component(
        "eu",
        WindowCell.at(new Series(Fleet.SCOPE, identifier), System.currentTimeMillis()),
        count);
  }

  private static List<String> identifiers() {
    return server.query("SELECT identifier FROM ratelimit_window_counts ORDER BY count").stream()
        .map(row -> row.get(0))
        .toList();
  }

  /** Returns the columns of an index of the counts, in order. */
  private static List<String> index(String name) {
    return server
        .query(
            "SELECT column_name FROM information_schema.statistics WHERE table_schema = 'tidegate'"
                + " AND table_name = 'ratelimit_window_counts' AND index_name = '" + name
                + "' ORDER BY seq_in_index")
        .stream()
        .map(row -> row.get(0))
        .toList();
  }

  /** Creates the tables of the second version, with three counts. */
  private static void createSecondVersion() {
    server.execute(Sql.read("migration/V1__window_counts.sql"));
    server.execute(Sql.read("migration/V2__regions.sql"));
    server.execute(Sql.read("schema_version.sql"));
    server.execute("INSERT INTO tidegate_schema VALUES (1, 2, 1)");
    Fleet.insert(server, 3, System.currentTimeMillis() + 3_600_000);
  }

  private static List<String> version() {
    return server.query("SELECT id, version FROM tidegate_schema").get(0);
  }

  @Test
  void isCreatedOnFirstUseByAllNodesAtOnce() {
    for (int round = 0; round < 5; round++) {
      empty();
      List<JdbcGlobalCounters> nodes = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        nodes.add(JdbcGlobalCounters.connect(server.jdbcUrl()));
      }
      List<CompletionStage<Long>> pulls =
          nodes.stream().map(CounterSchemaTest::pull).toList();
      assertThat(pulls).allMatch(pull -> failure(pull).equals("none"));
      nodes.forEach(JdbcGlobalCounters::close);
      assertThat(tables()).containsExactlyInAnyOrderElementsOf(TABLES);
      assertThat(version()).containsExactly("1", Integer.toString(CounterSchema.VERSION));
    }
  }

  /** Tables of a release that used Flyway: counts are kept, and its nodes can continue. */
  @Test
  void tablesCreatedWithFlywayAreUpgraded() {
    server.execute(Sql.read("migration/V1__window_counts.sql"));
    server.execute("CREATE TABLE tidegate_schema_history (installed_rank int NOT NULL PRIMARY KEY,"
        + " version varchar(50), success tinyint(1) NOT NULL)");
    server.execute("INSERT INTO tidegate_schema_history VALUES (1, '1', 1)");
    Fleet.insert(server, 3, System.currentTimeMillis() + 3_600_000);
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      assertThat(failure(pull(counters))).isEqualTo("none");
    }
    assertThat(identifiers()).containsExactlyInAnyOrder("0", "1", "2");
    assertThat(version()).containsExactly("1", Integer.toString(CounterSchema.VERSION));
    assertThat(server.query("SELECT version, success FROM tidegate_schema_history"))
        .containsExactly(List.of("1", "1"));
  }

  @Test
  void tablesOfTheFirstVersionAreUpgradedByAllNodesAtOnce() {
    server.execute(Sql.read("migration/V1__window_counts.sql"));
    server.execute(Sql.read("schema_version.sql"));
    server.execute("INSERT INTO tidegate_schema VALUES (1, 1, 1)");
    Fleet.insert(server, 3, System.currentTimeMillis() + 3_600_000);
    List<JdbcGlobalCounters> nodes = Stream.generate(
            () -> JdbcGlobalCounters.connect(server.jdbcUrl()))
        .limit(4)
        .toList();
    List<CompletionStage<Long>> announcements =
        nodes.stream().map(node -> node.announce("eu", "one")).toList();
    assertThat(announcements).allMatch(announcement -> failure(announcement).equals("none"));
    nodes.forEach(JdbcGlobalCounters::close);
    assertThat(tables()).containsExactlyInAnyOrderElementsOf(TABLES);
    assertThat(version()).containsExactly("1", Integer.toString(CounterSchema.VERSION));
    assertThat(identifiers()).containsExactlyInAnyOrder("0", "1", "2");
    assertThat(server.query("SELECT announcements FROM ratelimit_regions"))
        .containsExactly(List.of("4"));
  }

  @Test
  void tablesOfTheSecondVersionReceiveAnIndex() {
    createSecondVersion();
    List<JdbcGlobalCounters> nodes = Stream.generate(
            () -> JdbcGlobalCounters.connect(server.jdbcUrl()))
        .limit(4)
        .toList();
    List<CompletionStage<Long>> pulls =
        nodes.stream().map(CounterSchemaTest::pull).toList();
    assertThat(pulls).allMatch(pull -> failure(pull).equals("none"));
    nodes.forEach(JdbcGlobalCounters::close);
    assertThat(index("region_idx")).containsExactly("region", "expires_at");
    assertThat(identifiers()).containsExactlyInAnyOrder("0", "1", "2");
    // The former release reads this row: it can use the tables as long as this is at most 2.
    assertThat(server.query("SELECT version, compatible_from FROM tidegate_schema"))
        .containsExactly(List.of("3", "1"));
  }

  /** The index is missing, but counts are exchanged. */
  @Test
  void tablesAreUsedWithoutAnUpgradeThatTheUserMayNotDo() {
    createSecondVersion();
    server.execute("CREATE USER IF NOT EXISTS limited");
    server.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON tidegate.* TO limited");
    String limited = server.jdbcUrl().replace("user=root", "user=limited");
    try (CapturedLog log = new CapturedLog();
        JdbcGlobalCounters counters = JdbcGlobalCounters.connect(limited)) {
      assertThat(failure(pull(counters))).isEqualTo("none");
      assertThat(failure(counters.push(List.of(component("user", 1))))).isEqualTo("none");
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .startsWith("The tables of the global counters are used without an upgrade")
          .contains("cannot create or upgrade Tidegate's tables; grant CREATE and ALTER");
    }
    assertThat(index("region_idx")).isEmpty();
    assertThat(version()).containsExactly("1", "2");
    Fleet.createTables(server); // a user with the privilege repeats the upgrade
    assertThat(index("region_idx")).containsExactly("region", "expires_at");
    assertThat(version()).containsExactly("1", "3");
  }

  /**
   * A backup holds the table for hours. Waiting for it would block the pushes of all nodes, which
   * queue behind the upgrade.
   */
  @Test
  void upgradeDoesNotWaitForALongTransaction() throws SQLException {
    createSecondVersion();
    try (Connection backup = DriverManager.getConnection(server.jdbcUrl());
        Statement statement = backup.createStatement();
        CapturedLog log = new CapturedLog();
        JdbcGlobalCounters counters = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      backup.setAutoCommit(false);
      statement.executeQuery("SELECT * FROM ratelimit_window_counts").close();
      long startNanos = System.nanoTime();
      assertThat(failure(pull(counters))).isEqualTo("none");
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
          .isLessThan(Duration.ofSeconds(6));
      assertThat(failure(counters.push(List.of(component("user", 1))))).isEqualTo("none");
      assertThat(log.warnings()).singleElement().asString().contains("without an upgrade");
    }
    assertThat(version()).containsExactly("1", "2");
  }

  /** Another node builds the index of a large table. */
  @Test
  void tablesAreUsedWhileAnotherNodeUpgradesThem() throws SQLException {
    createSecondVersion();
    try (Connection other = DriverManager.getConnection(server.jdbcUrl());
        Statement statement = other.createStatement();
        JdbcGlobalCounters counters = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      statement.executeQuery("SELECT GET_LOCK('tidegate_schema', 0)").close();
      assertThat(failure(pull(counters))).isEqualTo("none");
    }
    assertThat(version()).containsExactly("1", "2");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tablesTooNewForThisReleaseAreRejected(boolean migrate) {
    Fleet.createTables(server);
    server.execute("UPDATE tidegate_schema SET version = 99, compatible_from = 98");
    try (JdbcGlobalCounters counters =
        JdbcGlobalCounters.builder(server.jdbcUrl()).migrate(migrate).connect()) {
      assertThat(failure(pull(counters)))
          .contains("have the schema version 99")
          .contains("releases of schema version 98 or later can use")
          .contains("this one has " + CounterSchema.VERSION)
          .contains("upgrade this node");
    }
    assertThat(version()).containsExactly("1", "99");
  }

  /** After a newer node has joined: nodes of consecutive releases run together. */
  @Test
  void newerTablesThatThisReleaseCanUseAreUsed() {
    Fleet.createTables(server);
    server.execute("UPDATE tidegate_schema SET version = 99");
    Fleet.createTables(server);
    assertThat(version()).containsExactly("1", "99");
  }

  @Test
  void foreignTablesAreNotChanged() {
    server.execute("CREATE TABLE tidegate.flyway_schema_history (installed_rank int)");
    Fleet.createTables(server);
    assertThat(tables()).containsAll(TABLES).contains("flyway_schema_history");
  }

  /** A node or the database may die between any two statements. */
  @Test
  void interruptedMigrationIsRepeated() {
    for (String interrupted : List.of(
        "DELETE FROM tidegate_schema",
        "DROP TABLE tidegate_schema",
        "UPDATE tidegate_schema SET version = 0",
        "UPDATE tidegate_schema SET version = 2",
        "DROP TABLE ratelimit_regions",
        "DROP TABLE ratelimit_window_counts")) {
      Fleet.createTables(server);
      server.execute(interrupted);
      Fleet.createTables(server);
      assertThat(tables()).as(interrupted).containsExactlyInAnyOrderElementsOf(TABLES);
      assertThat(version())
          .as(interrupted)
          .containsExactly("1", Integer.toString(CounterSchema.VERSION));
      assertThat(index("region_idx")).as(interrupted).containsExactly("region", "expires_at");
    }
  }

  @Test
  void foreignTableOfTheSameNameIsReported() {
    server.execute("CREATE TABLE ratelimit_window_counts (pk int, workspace_id int)");
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      assertThat(failure(pull(counters))).contains("has other columns").contains("namespace");
    }
  }

  @Test
  void missingTableIsReportedWithoutMigration() {
    try (JdbcGlobalCounters counters =
        JdbcGlobalCounters.builder(server.jdbcUrl()).migrate(false).connect()) {
      assertThat(failure(pull(counters)))
          .contains("a table of the global counters is missing")
          .contains("ratelimit_window_counts")
          .contains("migrate(true)")
          .contains("io/tidegate/jdbc/migration");
      assertThat(tables()).isEmpty();
      Fleet.createTables(server);
      assertThat(failure(pull(counters))).isEqualTo("none"); // works as soon as the table exists
      server.execute("ALTER TABLE tidegate.ratelimit_window_counts DROP COLUMN updated_at");
    }
    try (JdbcGlobalCounters counters =
        JdbcGlobalCounters.builder(server.jdbcUrl()).migrate(false).connect()) {
      assertThat(failure(pull(counters))).contains("has other columns").contains("updated_at");
    }
  }

  @Test
  void missingPrivilegeIsReported() {
    server.execute("CREATE USER IF NOT EXISTS limited");
    server.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON tidegate.* TO limited");
    String url = server.jdbcUrl().replace("user=root", "user=limited");
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(url)) {
      assertThat(failure(pull(counters)))
          .contains("cannot create or upgrade Tidegate's tables")
          .contains("CREATE")
          .contains("migrate(false)");
    }
    server.execute("CREATE USER IF NOT EXISTS maker");
    server.execute("GRANT SELECT, INSERT, UPDATE, DELETE, CREATE ON tidegate.* TO maker");
    String maker = server.jdbcUrl().replace("user=root", "user=maker");
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(maker)) {
      assertThat(failure(pull(counters))).isEqualTo("none");
    }
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(url)) {
      assertThat(failure(pull(counters)))
          .isEqualTo("none"); // these privileges suffice once the tables exist
      assertThat(failure(counters.push(List.of(component("user", 1))))).isEqualTo("none");
    }
  }

  @Test
  void collationOfTheDatabaseDoesNotMatter() {
    server.execute("ALTER DATABASE tidegate CHARACTER SET latin1 COLLATE latin1_swedish_ci");
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      counters
          .push(List.of(component("user", 1), component("USER", 2), component("ユーザー", 3)))
          .toCompletableFuture()
          .join();
    }
    assertThat(identifiers()).containsExactly("user", "USER", "ユーザー");
  }

  @Test
  void nameWithAnUnpairedSurrogateDoesNotBlockOthers() {
    Component bad = component("half \ud83d", 2);
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      assertThat(counters
              .push(List.of(component("one", 1), bad, component("three", 3)))
              .toCompletableFuture()
              .join())
          .containsExactly(bad);
    }
    assertThat(identifiers()).containsExactly("one", "three");
  }

  /** A table with narrower columns, on a server that truncates values. */
  @Test
  void valueThatDoesNotFitDoesNotBlockOthers() {
    Fleet.createTables(server);
    server.execute("ALTER TABLE tidegate.ratelimit_window_counts MODIFY identifier varchar(20)"
        + " CHARACTER SET latin1 NOT NULL");
    server.execute("SET GLOBAL sql_mode = ''");
    String lenient =
        server.jdbcUrl() + "&jdbcCompliantTruncation=false"; // otherwise the driver is strict
    List<Component> components = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      components.add(component("user_" + i, i));
    }
    Component tooLong = component("x".repeat(21), 1_000);
    Component tooForeign = component("ユーザー", 1_001);
    components.add(50, tooLong);
    components.add(70, tooForeign);
    try (CapturedLog log = new CapturedLog();
        JdbcGlobalCounters counters = JdbcGlobalCounters.connect(lenient)) {
      assertThat(counters.push(components).toCompletableFuture().join())
          .containsExactlyInAnyOrder(tooLong, tooForeign);
      assertThat(log.warnings())
          .containsExactly("The database rejected 2 counts: a value does not fit its column, or a"
              + " name is not valid text"); // without an identifier
      assertThat(log.details())
          .singleElement()
          .asString()
          .containsPattern("^One of the 2 rows: .*(xxxxx|ユーザー)");
    } finally {
      server.execute("SET GLOBAL sql_mode = DEFAULT");
    }
    assertThat(identifiers()).hasSize(100).startsWith("user_1", "user_2").endsWith("user_100");
  }

  @Test
  void invalidRowDoesNotBlockOthers() {
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      counters
          .push(List.of(component("one", 1), component("two", 2), component("three", 3)))
          .toCompletableFuture()
          .join();
      server.execute("UPDATE tidegate.ratelimit_window_counts SET count = 18446744073709551615"
          + " WHERE identifier = 'one'");
      server.execute("UPDATE tidegate.ratelimit_window_counts SET duration_ms = 3"
          + " WHERE identifier = 'two'");
      List<Component> pulled = new ArrayList<>();
      try (CapturedLog log = new CapturedLog()) {
        counters
            .pull("us", GlobalCounters.EVERYTHING, 0, pulled::add)
            .toCompletableFuture()
            .join();
        assertThat(log.warnings())
            .containsExactly(
                "Ignored 2 rows of ratelimit_window_counts: a value is out of range"); // no
        // identifier
        assertThat(log.details())
            .singleElement()
            .asString()
            .containsPattern("^One of the 2 rows: (one|two) ");
      }
      assertThat(pulled).containsExactly(component("three", 3));
    }
  }

  @Test
  void fileCannotStoreGlobalCounters() {
    assertThatThrownBy(() -> JdbcGlobalCounters.connect("jdbc:sqlite:./counts?password=secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("global counters need MySQL or MariaDB, not a file: jdbc:sqlite:...");
  }

  @Test
  void invalidUrlIsRejectedWithoutShowingThePassword() {
    assertThatThrownBy(() -> JdbcGlobalCounters.connect("mariadb://host/db?password=secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jdbc:mariadb://host:3306/database")
        .hasMessageEndingWith(": mariadb://...");
    assertThatThrownBy(() -> JdbcGlobalCounters.connect("jdbc:mysql://me:secret@host/db"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(": jdbc:mysql://...");
    assertThatThrownBy(() -> JdbcGlobalCounters.connect("jdbc:oracle:thin:me/secret@host"))
        .hasMessageEndingWith(": jdbc:oracle:thin:me...");
    assertThatThrownBy(
            () -> JdbcGlobalCounters.builder(server.jdbcUrl()).cleanupEvery(Duration.ZERO))
        .hasMessage("interval must be between PT1S and PT24H: PT0S");
  }
}
