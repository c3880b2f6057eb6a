package io.tidegate.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.Catalog;
import io.tidegate.server.command.Terminal.Result;
import io.tidegate.testkit.MariaDbServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditCommandTest {

  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";

  @TempDir
  private Path directory;

  private final Terminal terminal = new Terminal();

  @Test
  void showsEditsOfAFile() {
    useFile();
    showsEditsWithTheirNames();
  }

  @Test
  void showsEditsOfADatabase() {
    try (MariaDbServer database = MariaDbServer.start()) {
      terminal.set("TIDEGATE_JDBC_URL", database.jdbcUrl());
      showsEditsWithTheirNames();
    }
  }

  private void showsEditsWithTheirNames() {
    String workspace = out("workspaces", "create", "acme");
    out("keys", "create", "--name=ci");
    String namespace = out("namespaces", "create", "login");
    out("overrides", "set", "login", "a\nb\u001b[2J", "--limit=1", "--duration=1m");
    out("overrides", "delete", "login", "a\nb\u001b[2J");
    List<String> lines = out("audit").lines().toList();
    assertThat(lines).hasSize(6);
    assertThat(lines.get(1))
        .matches(TIME + "  ratelimit\\.delete_override  +operator  rlor_\\w{9}  " + workspace
            + "  a\\\\nb\\\\u001b\\[2J in namespace login");
    assertThat(lines.get(2)).contains("  ratelimit.set_override ");
    assertThat(lines.get(3))
        .matches(TIME + "  ratelimitNamespace\\.create  +operator  " + namespace + "  +" + workspace
            + "  login");
    assertThat(lines.get(4))
        .matches(TIME + "  key\\.create  +operator  key_\\w{9}  +" + workspace + "  ci");
    assertThat(lines.get(5))
        .matches(
            TIME + "  workspace\\.create  +operator  " + workspace + "  +" + workspace + "  acme");
  }

  @Test
  void showsTheNameOfTheKeyThatMadeAnEdit() throws SQLException {
    useFile();
    String workspace = out("workspaces", "create", "acme");
    out("keys", "create", "--name=ci");
    try (Catalog catalog = Catalog.open(url(), null, null, true)) {
      String key = catalog.changesSince(0).keys().get(0).id();
      catalog.createNamespace(workspace, "login", key);
      assertThat(out("audit", "--limit=1")).contains("  " + key + " (ci)  ");
      assertThat(out("audit", "--limit=1", "--json"))
          .contains("\"actor\" : \"" + key + "\"", "\"actorName\" : \"ci\"");
    }
  }

  @Test
  void showsFiftyEditsUnlessTold() throws SQLException {
    useFile();
    String workspace = out("workspaces", "create", "acme");
    insert(workspace, 60, "0");
    assertThat(out("audit").lines()).hasSize(1 + 50);
    assertThat(out("audit", "--limit", "3").lines()).hasSize(1 + 3);
    assertThat(out("audit", "--limit=10000").lines()).hasSize(1 + 61);
  }

  @Test
  void showsEditsSinceATime() throws SQLException {
    useFile();
    String workspace = out("workspaces", "create", "acme");
    long now = System.currentTimeMillis();
    insert(workspace, 1, String.valueOf(now - Duration.ofMinutes(90).toMillis()));
    insert(workspace, 1, String.valueOf(now - Duration.ofHours(40).toMillis()));
    assertThat(out("audit", "--since=1h").lines()).hasSize(1 + 1);
    assertThat(out("audit", "--since", "2h").lines()).hasSize(1 + 2);
    assertThat(out("audit", "--since", "2d", "--workspace", workspace).lines()).hasSize(1 + 3);
    assertThat(out("audit", "--since=99999999999d").lines()).hasSize(1 + 3);
  }

  @Test
  void showsOneWorkspace() {
    useFile();
    String one = out("workspaces", "create", "one");
    String two = out("workspaces", "create", "two");
    assertThat(out("audit").lines()).hasSize(1 + 2);
    assertThat(out("audit", "--workspace", one).lines().toList())
        .hasSize(1 + 1)
        .last()
        .asString()
        .contains(one)
        .doesNotContain(two);
    assertThat(terminal.run("audit", "--workspace=ws_x"))
        .isEqualTo(
            new Result(1, "", "tidegate: no workspace has the id ws_x" + System.lineSeparator()));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      --since=yesterday | --since must be a time such as 500ms, 60s, 5m or 1h: yesterday
      --since=-1h       | --since must be a time such as 500ms, 60s, 5m or 1h: -1h
      --limit=0         | --limit must be a whole number from 1 to 10000: 0
      --limit=10001     | --limit must be a whole number from 1 to 10000: 10001
      --limit=all       | --limit must be a whole number from 1 to 10000: all
      """)
  void invalidOptionsAreRejected(String option, String message) {
    useFile();
    out("workspaces", "create", "acme");
    Result result = terminal.run("audit", option);
    assertThat(result)
        .isEqualTo(new Result(
            2,
            "",
            "tidegate: " + message + System.lineSeparator()
                + "Try 'tidegate audit --help' for more information." + System.lineSeparator()));
  }

  @Test
  void missingCatalogIsReported() {
    useFile();
    Result result = terminal.run("audit");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).startsWith("tidegate: no catalog in ");
  }

  private void useFile() {
    terminal.set("TIDEGATE_DATA", directory.toString());
  }

  private String url() {
    return Catalog.urlOfFile(directory);
  }

  /** Inserts old entries, with a time in milliseconds. */
  private void insert(String workspace, int entries, String atMillis) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < entries; i++) {
        statement.executeUpdate("INSERT INTO audit_log (workspace_id, event, actor, target, at_m,"
            + " version) VALUES ('" + workspace + "', 'key.create', 'operator', 'key_none', "
            + atMillis + ", 1)");
      }
    }
  }

  private String out(String... arguments) {
    Result result = terminal.run(arguments);
    assertThat(result.exitCode()).as(result.err()).isZero();
    return result.out().strip();
  }
}
