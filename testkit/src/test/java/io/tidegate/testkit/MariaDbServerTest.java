package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MariaDbServerTest {

  @Test
  void answersAndStores() throws SQLException {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.execute("CREATE TABLE texts (id INT PRIMARY KEY, text VARCHAR(20))");
      try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
          Statement statement = connection.createStatement()) {
        statement.execute("INSERT INTO texts VALUES (1, 'värde'), (2, NULL)");
      }
      assertThat(server.query("SELECT id, text FROM texts ORDER BY id"))
          .containsExactly(List.of("1", "värde"), Arrays.asList("2", null));
      assertThat(server.query("SELECT 1 FROM texts WHERE id = 3")).isEmpty();
    }
  }

  @Test
  void hasThePackedVersionUnlessAnotherProgramIsNamed() {
    boolean named = System.getProperty("tidegate.mariadb.binary") != null;
    try (MariaDbServer server = MariaDbServer.start()) {
      assertThat(only(server, "SELECT VERSION()")).contains(named ? "." : "11.4.5-MariaDB");
    }
  }

  @Test
  void anErrorIsThrownWithTheMessageOfMariaDb() {
    try (MariaDbServer server = MariaDbServer.start()) {
      assertThatThrownBy(() -> server.query("SELECT * FROM nothing"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Table 'tidegate.nothing' doesn't exist")
          .hasCauseInstanceOf(SQLSyntaxErrorException.class);
    }
  }

  @Test
  void twoServersAreIndependent() {
    try (MariaDbServer one = MariaDbServer.start();
        MariaDbServer other = MariaDbServer.start()) {
      one.execute("CREATE TABLE ours (id INT)");
      assertThat(one.query("SHOW TABLES")).hasSize(1);
      assertThat(other.query("SHOW TABLES")).isEmpty();
    }
  }

  @Test
  void aServerThatStartsKeepsTheTemporaryFilesOfOthers() throws IOException {
    try (MariaDbServer server = MariaDbServer.start()) {
      Path file = Path.of(only(server, "SELECT @@tmpdir"), "#sql-temptable-1.MAI");
      Files.createFile(file);
      MariaDbServer.start().close();
      assertThat(file).exists();
      server.restart();
      assertThat(file).doesNotExist();
    }
  }

  @Test
  void argumentsOverrideDefaults() {
    try (MariaDbServer server = MariaDbServer.start(
        "--innodb-buffer-pool-size=48M",
        "--innodb-log-file-size=32M",
        "--character-set-server=latin1",
        "--max-connections=17")) {
      assertThat(only(server, "SELECT @@innodb_buffer_pool_size")).isEqualTo("50331648");
      assertThat(only(server, "SELECT @@innodb_log_file_size")).isEqualTo("33554432");
      assertThat(only(server, "SELECT @@max_connections")).isEqualTo("17");
      assertThat(only(server, "SELECT @@character_set_database")).isEqualTo("latin1");
    }
  }

  @Test
  void usersMayHaveFewerRights() throws SQLException {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.execute("CREATE TABLE counts (id INT)");
      server.execute("CREATE USER reader@'127.0.0.1'");
      server.execute("GRANT SELECT ON tidegate.* TO reader@'127.0.0.1'");
      String url = server.jdbcUrl().replace("user=root", "user=reader");
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        assertThat(statement.executeQuery("SELECT * FROM counts").next()).isFalse();
        assertThatThrownBy(() -> statement.execute("INSERT INTO counts VALUES (1)"))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("INSERT command denied");
      }
    }
  }

  @Test
  void keepsOnlyCommittedRowsWhenKilled() throws SQLException {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.execute("CREATE TABLE counts (id INT PRIMARY KEY)");
      int port = server.port();
      long pid = server.pid();
      try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
          Statement statement = connection.createStatement()) {
        statement.execute("INSERT INTO counts VALUES (1)");
        connection.setAutoCommit(false);
        statement.execute("INSERT INTO counts VALUES (2)");
        server.kill();
      }
      assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
      assertThatThrownBy(() -> server.query("SELECT 1"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Connection refused");
      assertThatThrownBy(server::pid).isInstanceOf(IllegalStateException.class);

      server.restart();
      assertThat(server.port()).isEqualTo(port);
      assertThat(server.query("SELECT id FROM counts")).containsExactly(List.of("1"));
    }
  }

  @Test
  void restartEndsTheRunningProcess() {
    try (MariaDbServer server = MariaDbServer.start()) {
      ProcessHandle first = ProcessHandle.of(server.pid()).orElseThrow();
      server.restart();
      assertThat(first.isAlive()).isFalse();
      assertThat(only(server, "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void answersNothingWhilePausedAndEverythingAfterwards() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.execute("CREATE TABLE counts (id INT)");
      try (Connection early = DriverManager.getConnection(server.jdbcUrl());
          Statement statement = early.createStatement()) {
        server.pause();
        CompletableFuture<Void> late =
            CompletableFuture.runAsync(() -> server.execute("INSERT INTO counts VALUES (1)"));
        early.setNetworkTimeout(Runnable::run, 300);
        assertThatThrownBy(() -> statement.execute("INSERT INTO counts VALUES (2)"))
            .isInstanceOf(SQLException.class);
        assertThat(late).isNotDone();

        server.resume();
        late.get(60, TimeUnit.SECONDS);
      }
      // The statement that timed out was executed too.
      assertThat(Waiting.until(
              Duration.ofSeconds(60),
              () -> only(server, "SELECT COUNT(*) FROM counts").equals("2")))
          .isTrue();
    }
  }

  @Test
  void answersThroughAProxy() throws SQLException {
    try (MariaDbServer server = MariaDbServer.start();
        TcpProxy proxy = TcpProxy.start(server.port())) {
      String url = server.jdbcUrl().replace(":" + server.port(), ":" + proxy.port());
      try (Connection connection = DriverManager.getConnection(url)) {
        assertThat(connection.isValid(60)).isTrue();
        proxy.reset();
        assertThat(connection.isValid(60)).isFalse();
      }
    }
  }

  @Test
  void closingEndsAPausedServerAndDeletesItsDirectory() {
    MariaDbServer server = MariaDbServer.start();
    ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
    Path data = Path.of(only(server, "SELECT @@datadir"));
    assertThat(data).isDirectory();
    server.pause();
    server.close();
    assertThat(process.isAlive()).isFalse();
    assertThat(data.getParent()).doesNotExist();

    server.close();
    assertThatThrownBy(server::restart).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void invalidArgumentsFailWithTheOutputOfMariaDb() {
    assertThatThrownBy(() -> MariaDbServer.start("--no-such-option"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("--no-such-option ended with code ")
        .hasMessageContaining("unknown option '--no-such-option'");
  }

  @Test
  void cpuTimeGrowsWithWork() {
    try (MariaDbServer server = MariaDbServer.start()) {
      Duration before = server.cpuTime();
      server.query("SELECT BENCHMARK(1000000, MD5('work'))");
      assertThat(server.cpuTime()).isGreaterThan(before);
    }
  }

  private static String only(MariaDbServer server, String sql) {
    return server.query(sql).get(0).get(0);
  }
}
