package io.tidegate.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.server.command.Terminal.Result;
import io.tidegate.spi.Component;
import io.tidegate.testkit.MariaDbServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CleanupCommandTest {

  private static final long WINDOW_MILLIS = 3_600_000;

  /** A day in 1973. */
  private static final long EXPIRED = 100_000_000_000L;

  private final Terminal terminal = new Terminal();

  @Test
  void deletesExpiredRowsWithSettingsOfAFlagTheEnvironmentOrAFile(@TempDir Path directory)
      throws IOException {
    try (MariaDbServer database = MariaDbServer.start()) {
      push(database, 3, EXPIRED);
      push(database, 2, System.currentTimeMillis());
      assertDeleted(3, terminal.run("cleanup", "--jdbc-url", database.jdbcUrl()));
      push(database, 4, EXPIRED);
      Path file =
          Files.writeString(directory.resolve("t.yaml"), "jdbc-url: '" + database.jdbcUrl() + "'");
      assertDeleted(4, terminal.run("cleanup", "--config", file.toString()));
      terminal.set("TIDEGATE_JDBC_URL", database.jdbcUrl());
      assertDeleted(0, terminal.run("cleanup"));
      assertThat(database.query("SELECT COUNT(*) FROM ratelimit_window_counts").get(0))
          .containsExactly("2");
    }
  }

  private static void assertDeleted(int rows, Result result) {
    assertThat(result.err()).endsWith(rows + " rows deleted so far" + System.lineSeparator());
    assertThat(result.out())
        .isEqualTo("deleted " + rows + " expired rows of ratelimit_window_counts"
            + System.lineSeparator());
    assertThat(result.exitCode()).isZero();
  }

  /** Writes rows of windows that contain a time, as nodes do. */
  private static void push(MariaDbServer database, int rows, long timeMillis) {
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(database.jdbcUrl())) {
      List<Component> components = IntStream.range(0, rows)
          .mapToObj(i -> new Component("eu", cell("user_" + i, timeMillis), 1))
          .toList();
      assertThat(counters.push(components).toCompletableFuture().join()).isEmpty();
    }
  }

  private static WindowCell cell(String identifier, long timeMillis) {
    return WindowCell.at(
        new Series(new Scope("acme", "calls", WINDOW_MILLIS), identifier), timeMillis);
  }

  @Test
  void jdbcUrlIsRequired() {
    Result missing = terminal.run("cleanup");
    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.err()).startsWith("tidegate: jdbc-url is missing");
    Result other = terminal.run("cleanup", "--jdbc-url", "jdbc:oracle:thin");
    assertThat(other.exitCode()).isEqualTo(2);
    assertThat(other.err()).startsWith("tidegate: jdbc-url must be a MySQL or MariaDB URL");
  }

  @Test
  void unreachableDatabaseIsReportedWithoutItsPassword() {
    Result result = terminal.run(
        "cleanup", "--jdbc-url", "jdbc:mariadb://127.0.0.1:1/tidegate?password=secret");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .startsWith("tidegate: cleanup of jdbc:mariadb://127.0.0.1:1/tidegate?*** failed: ")
        .contains("refused")
        .doesNotContain("secret");
  }
}
