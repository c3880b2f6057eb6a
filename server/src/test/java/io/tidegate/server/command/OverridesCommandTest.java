package io.tidegate.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.LimitOverride;
import io.tidegate.server.command.Terminal.Result;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that edit the overrides of a catalog in a file. */
class OverridesCommandTest {

  @TempDir
  private Path directory;

  private final Terminal terminal = new Terminal();
  private String workspace;
  private String namespace;

  @BeforeEach
  void createNamespace() {
    terminal.set("TIDEGATE_DATA", directory.resolve("data").toString());
    workspace = out("workspaces", "create", "acme");
    namespace = out("namespaces", "create", "login");
  }

  @Test
  void overrideIsSetChangedListedAndDeleted() throws SQLException {
    String set = out("overrides", "set", "login", "user_*", "--limit", "100", "--duration", "5m");
    LimitOverride created = overrides().get(0);
    assertThat(set).isEqualTo("set " + created.id() + ": limit 100, duration 5m");
    assertThat(created.namespaceId()).isEqualTo(namespace);
    assertThat(created.identifier()).isEqualTo("user_*");
    assertThat(created.limit()).isEqualTo(100);
    assertThat(created.durationMillis()).isEqualTo(300_000);

    assertThat(out("overrides", "set", "login", "user_*", "--limit=0", "--duration=1s"))
        .isEqualTo(
            "set " + created.id() + ": limit 0, duration 1s; before: limit 100, duration 5m");
    assertThat(out("overrides", "list", "login").lines().skip(1))
        .containsExactly(created.id() + "  0      1s        user_*");

    assertThat(out("overrides", "delete", "login", "user_*"))
        .isEqualTo("deleted " + created.id() + ": limit 0, duration 1s");
    assertThat(out("overrides", "list", "login").lines()).hasSize(1);
    assertThat(out("overrides", "list", "login", "--json")).isEqualTo("[ ]");
    assertThat(out("overrides", "set", "login", "user_*", "--limit=7", "--duration=1s"))
        .as("a deleted override is not shown")
        .isEqualTo("set " + created.id() + ": limit 7, duration 1s");
  }

  @Test
  void greatestValuesAreAccepted() throws SQLException {
    String longest = "é".repeat(512);
    out("overrides", "set", "login", longest, "--limit=1000000000000", "--duration=366d");
    assertThat(overrides()).singleElement().satisfies(override -> {
      assertThat(override.identifier()).isEqualTo(longest);
      assertThat(override.limit()).isEqualTo(1_000_000_000_000L);
      assertThat(override.durationMillis()).isEqualTo(366L * 86_400_000);
    });
  }

  @Test
  void namespaceIsGivenByNameOrId() throws SQLException {
    String other = out("namespaces", "create", "signup");
    out("overrides", "set", namespace, "a", "--limit=1", "--duration=1s");
    out("overrides", "set", "signup", "b", "--limit=2", "--duration=1s");
    assertThat(out("overrides", "list", "login")).contains("  a").doesNotContain("  b");
    assertThat(out("overrides", "list", other)).contains("  b").doesNotContain("  a");
    out("overrides", "delete", namespace, "a");
    assertThat(overrides())
        .extracting(LimitOverride::identifier, LimitOverride::deleted)
        .containsExactlyInAnyOrder(tuple("a", true), tuple("b", false));
  }

  @Test
  void listIsInTheOrderOfIdentifiers() {
    for (String identifier : List.of("b", "c", "a")) {
      out("overrides", "set", "login", identifier, "--limit=1", "--duration=1s");
    }
    assertThat(out("overrides", "list", "login")
            .lines()
            .skip(1)
            .map(line -> line.charAt(line.length() - 1)))
        .containsExactly('a', 'b', 'c');
  }

  @Test
  void oneOfSeveralWorkspacesMustBeChosen() throws SQLException {
    String other = out("workspaces", "create", "other");
    String twin = out("namespaces", "create", "login", "--workspace", other);
    for (String[] arguments : new String[][] {
      {"overrides", "list", "login"},
      {"overrides", "set", "login", "a", "--limit=1", "--duration=1s"},
      {"overrides", "delete", "login", "a"}
    }) {
      Result result = terminal.run(arguments);
      assertThat(result.exitCode()).isEqualTo(1);
      assertThat(result.err())
          .startsWith("tidegate: there are 2 workspaces; choose one with --workspace: ");
    }
    out("overrides", "set", "login", "a", "--limit=1", "--duration=1s", "--workspace", other);
    assertThat(overrides())
        .singleElement()
        .satisfies(override -> assertThat(override.namespaceId()).isEqualTo(twin));
    assertThat(out("overrides", "list", "login", "--workspace", other)).contains("  a");
    assertThat(out("overrides", "list", "login", "--workspace", workspace)).doesNotContain("  a");
    assertThat(terminal.run("overrides", "list", twin, "--workspace", workspace))
        .as("a namespace of another workspace")
        .isEqualTo(failure("workspace " + workspace + " has no namespace " + twin
            + "; 'tidegate namespaces list' lists them"));
    out("overrides", "delete", "login", "a", "--workspace", other);
    assertThat(overrides()).allMatch(LimitOverride::deleted);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      overrides list emails
      overrides set emails a --limit=1 --duration=1s
      overrides delete emails a
      """)
  void unknownNamespaceIsReported(String arguments) throws SQLException {
    assertThat(terminal.run(arguments.split(" ")))
        .isEqualTo(failure("workspace " + workspace
            + " has no namespace emails; 'tidegate namespaces list' lists them"));
    assertThat(overrides()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      overrides list login
      overrides set login a --limit=1 --duration=1s
      overrides delete login a
      """)
  void deletedNamespaceIsReported(String arguments) throws SQLException {
    out("overrides", "set", "login", "a", "--limit=9", "--duration=1s");
    out("namespaces", "delete", namespace);
    assertThat(terminal.run(arguments.split(" ")))
        .isEqualTo(failure("namespace login is deleted; restore it with 'tidegate namespaces"
            + " restore " + namespace + "'"));
    assertThat(overrides()).singleElement().satisfies(override -> {
      assertThat(override.limit()).isEqualTo(9);
      assertThat(override.deleted()).isFalse();
    });
  }

  @Test
  void unknownOverrideIsReported() {
    out("overrides", "set", "login", "user_*", "--limit=1", "--duration=1s");
    assertThat(terminal.run("overrides", "delete", "login", "user_1"))
        .isEqualTo(failure("namespace login has no override for user_1"));
    assertThat(terminal.run("overrides", "delete", "login", "a\u001b[2Jb"))
        .isEqualTo(failure("namespace login has no override for a\\u001b[2Jb"));
  }

  @Test
  void unknownWorkspaceIsReported() {
    assertThat(terminal.run("overrides", "list", "login", "--workspace=ws_x"))
        .isEqualTo(failure("no workspace has the id ws_x"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      --limit=ten --duration=1m                  | --limit must be a whole number from 0 to 1000000000000: ten
      --limit=-1 --duration=1m                   | --limit must be a whole number from 0 to 1000000000000: -1
      --limit=1000000000001 --duration=1m        | --limit must be a whole number from 0 to 1000000000000: 1000000000001
      --limit=99999999999999999999 --duration=1m | --limit must be a whole number from 0 to 1000000000000: 99999999999999999999
      --limit=1 --duration=60                    | --duration must be a time such as 500ms, 60s, 5m or 1h: 60
      --limit=1 --duration=999ms                 | --duration must be from 1s to 366d: 999ms
      --limit=1 --duration=367d                  | --duration must be from 1s to 366d: 367d
      --limit=1 --duration=99999999999d          | --duration must be from 1s to 366d: 99999999999d
      """)
  void invalidNumbersAreRejected(String options, String message) throws SQLException {
    Result result = terminal.run(("overrides set login a " + options).split(" "));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err().lines()).first().isEqualTo("tidegate: " + message);
    assertThat(overrides()).isEmpty();
  }

  @Test
  void identifierThatIsTooLongIsRejected() {
    Result result =
        terminal.run("overrides", "set", "login", "n".repeat(513), "--limit=1", "--duration=1s");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("tidegate: identifier must have at most 512 characters, it has 513: nnn");
  }

  @Test
  void numberOfWildcardsIsBounded() throws SQLException {
    insert(1_000, "n.i || '*'");
    assertThat(terminal.run("overrides", "set", "login", "more*", "--limit=1", "--duration=1s"))
        .isEqualTo(full("more*"));
    out("overrides", "set", "login", "7*", "--limit=1", "--duration=1s");
    out("overrides", "set", "login", "exact", "--limit=1", "--duration=1s");
  }

  @Test
  void numberOfOverridesIsBounded() throws SQLException {
    insert(99_999, "'user_' || n.i");
    out("overrides", "set", "login", "last", "--limit=1", "--duration=1s");
    out("overrides", "delete", "login", "last");
    assertThat(terminal.run("overrides", "set", "login", "more", "--limit=1", "--duration=1s"))
        .as("deleted ones count")
        .isEqualTo(full("more"));
    out("overrides", "set", "login", "user_7", "--limit=2", "--duration=1s");
  }

  private static Result full(String identifier) {
    return failure("no room for the override " + identifier + ": a workspace has at most 100000"
        + " overrides, deleted ones included, and a namespace 1000 with wildcards");
  }

  /** Inserts many overrides at once; the identifier is an expression of the number {@code n.i}. */
  private void insert(int overrides, String identifier) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
          + " WHERE i < " + overrides + ") INSERT INTO ratelimit_overrides (id, workspace_id,"
          + " namespace_id, identifier, identifier_hash, limit_tokens, duration_ms, created_at_m,"
          + " updated_at_m, version) SELECT 'rlor_' || n.i, '" + workspace + "', '" + namespace
          + "', " + identifier + ", randomblob(32), 1, 1000, 0, 0, 2 FROM n");
    }
  }

  private String out(String... arguments) {
    Result result = terminal.run(arguments);
    assertThat(result.exitCode()).as(result.err()).isZero();
    return result.out().strip();
  }

  private static Result failure(String message) {
    return new Result(1, "", "tidegate: " + message + System.lineSeparator());
  }

  private String url() {
    return Catalog.urlOfFile(directory.resolve("data"));
  }

  private List<LimitOverride> overrides() throws SQLException {
    try (Catalog catalog = Catalog.open(url(), null, null, true)) {
      return catalog.changesSince(0).overrides();
    }
  }
}
