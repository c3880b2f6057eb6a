package io.tidegate.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.CatalogChanges;
import io.tidegate.catalog.RootKey;
import io.tidegate.server.catalog.Permissions;
import io.tidegate.server.command.Terminal.Result;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that edit a catalog in a file. */
class CatalogCommandsTest {

  @TempDir
  private Path directory;

  private final Terminal terminal = new Terminal();

  @BeforeEach
  void setDirectory() {
    terminal.set("TIDEGATE_DATA", directory.resolve("data").toString());
  }

  @Test
  void workspaceIsCreatedListedAndChanged() throws SQLException {
    String id = out("workspaces", "create", "acme", "--requests-per-minute", "60");
    assertThat(id).startsWith("ws_");
    assertThat(out("workspaces", "list")).contains(id, "acme", "enabled", "60");

    assertThat(out("workspaces", "update", id, "--disable")).isEqualTo("updated " + id);
    assertThat(catalog().workspaces()).singleElement().satisfies(workspace -> {
      assertThat(workspace.enabled()).isFalse();
      assertThat(workspace.requestsPerMinute()).isEqualTo(60);
    });
    out("workspaces", "update", id, "--requests-per-minute", "unlimited");
    assertThat(catalog().workspaces()).singleElement().satisfies(workspace -> {
      assertThat(workspace.enabled()).isFalse();
      assertThat(workspace.requestsPerMinute()).isNull();
    });
    out("workspaces", "update", id, "--enable", "--requests-per-minute=0");
    assertThat(catalog().workspaces()).singleElement().satisfies(workspace -> {
      assertThat(workspace.enabled()).isTrue();
      assertThat(workspace.requestsPerMinute()).isZero();
    });
  }

  @Test
  void keyIsShownOnceAndStoredAsItsHash() throws Exception {
    String workspace = out("workspaces", "create", "acme");

    Result created = terminal.run("keys", "create", "--name", "ci");

    assertThat(created.exitCode()).isZero();
    String secret = created.out().strip();
    RootKey key = catalog().keys().get(0);
    assertThat(key.hash()).isEqualTo(sha256(secret));
    assertThat(key.name()).isEqualTo("ci");
    assertThat(key.permissions()).isEqualTo(Permissions.all());
    assertThat(created.err())
        .contains("only this once", key.id(), workspace)
        .doesNotContain(secret);
    for (String list : new String[] {out("keys", "list"), out("keys", "list", "--json")}) {
      assertThat(list).contains(key.id(), key.start(), "ci").doesNotContain(secret, key.hash());
    }
  }

  @Test
  void keyHasTheGivenPermissions() throws SQLException {
    out("workspaces", "create", "acme");
    out(
        "keys",
        "create",
        "--name=ci",
        "--permission=ratelimit.*.limit",
        "--permission",
        "ratelimit.rlns_abc.set_override",
        "--permission=unkey:v1:ws_1:ratelimits/namespaces/*/overrides/*#read_override");
    assertThat(catalog().keys().get(0).permissions())
        .containsExactlyInAnyOrder(
            "ratelimit.*.limit",
            "ratelimit.rlns_abc.set_override",
            "unkey:v1:ws_1:ratelimits/namespaces/*/overrides/*#read_override");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit",
        "ratelimit.*.limt",
        "ratelimit..limit",
        "ratelimit.a b.limit",
        "unkey:v1:x",
        "unkey:v1:#limit",
        "*"
      })
  void invalidPermissionIsRejected(String permission) throws SQLException {
    out("workspaces", "create", "acme");
    Result result = terminal.run("keys", "create", "--name=ci", "--permission=" + permission);
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).startsWith("tidegate: permission must be").contains(": " + permission);
    assertThat(catalog().keys()).isEmpty();
  }

  @Test
  void keyIsDisabledEnabledAndRevoked() {
    out("workspaces", "create", "acme");
    out("keys", "create", "--name", "ci");
    String id = firstKey().id();

    assertThat(out("keys", "disable", id)).isEqualTo("disabled " + id);
    assertThat(firstKey().enabled()).isFalse();
    assertThat(out("keys", "enable", id)).isEqualTo("enabled " + id);
    assertThat(firstKey().enabled()).isTrue();
    assertThat(out("keys", "revoke", id)).isEqualTo("revoked " + id);
    assertThat(firstKey().revoked()).isTrue();
    assertThat(out("keys", "list")).contains("revoked");
    for (String command : new String[] {"revoke", "enable", "disable"}) {
      assertThat(terminal.run("keys", command, id))
          .isEqualTo(failure("key " + id + " is already revoked"));
    }
  }

  @Test
  void namespaceIsCreatedDeletedAndRestored() throws SQLException {
    out("workspaces", "create", "acme");
    String id = out("namespaces", "create", "emails");
    assertThat(out("namespaces", "create", "emails")).isEqualTo(id);
    assertThat(out("namespaces", "list")).contains(id, "emails", "active");

    assertThat(out("namespaces", "delete", id)).isEqualTo("deleted " + id);
    assertThat(out("namespaces", "list", "--json")).contains("\"deleted\"");
    assertThat(terminal.run("namespaces", "create", "emails"))
        .isEqualTo(
            failure("namespace emails is deleted; restore it with 'tidegate namespaces restore "
                + id + "'"));
    assertThat(out("namespaces", "restore", id)).isEqualTo("restored " + id);
    assertThat(catalog().namespaces())
        .singleElement()
        .satisfies(n -> assertThat(n.deleted()).isFalse());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      keys revoke key_x                     | no key has the id key_x
      keys disable key_x                    | no key has the id key_x
      keys enable key_x                     | no key has the id key_x
      keys list --workspace ws_x            | no workspace has the id ws_x
      keys create --name a --workspace ws_x | no workspace has the id ws_x
      workspaces update ws_x --enable       | no workspace has the id ws_x
      namespaces list --workspace ws_x      | no workspace has the id ws_x
      namespaces create a --workspace ws_x  | no workspace has the id ws_x
      namespaces delete rlns_x              | no namespace has the id rlns_x
      namespaces restore rlns_x             | no namespace has the id rlns_x
      """)
  void unknownIdIsReported(String arguments, String message) {
    out("workspaces", "create", "acme");
    assertThat(terminal.run(arguments.split(" "))).isEqualTo(failure(message));
  }

  @Test
  void oneOfSeveralWorkspacesMustBeChosen() {
    String one = out("workspaces", "create", "one");
    String two = out("workspaces", "create", "two");

    Result rejected = terminal.run("keys", "create", "--name=ci");
    assertThat(rejected.exitCode()).isEqualTo(1);
    assertThat(rejected.err())
        .startsWith("tidegate: there are 2 workspaces; choose one with --workspace: ")
        .contains(one + " (one)", two + " (two)");

    out("keys", "create", "--name=ci", "--workspace", two);
    assertThat(firstKey().workspaceId()).isEqualTo(two);
    assertThat(out("keys", "list", "--workspace", one)).doesNotContain("ci");
    assertThat(out("keys", "list", "--workspace", two)).contains("ci");
    String namespace = out("namespaces", "create", "emails", "--workspace", one);
    assertThat(out("namespaces", "list", "--workspace", one)).contains(namespace);
    assertThat(out("namespaces", "list", "--workspace", two)).doesNotContain(namespace);
  }

  @Test
  void keyNeedsAWorkspace() throws SQLException {
    try (Catalog catalog = Catalog.open(url(), null, null, true)) {
      assertThat(catalog.version()).isZero();
    }
    assertThat(terminal.run("keys", "create", "--name=ci"))
        .isEqualTo(
            failure("no workspace exists; create one with 'tidegate workspaces create NAME'"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      workspaces create a --requests-per-minute=many | requests per minute must be a whole number or unlimited: many
      workspaces create a --requests-per-minute=-1   | requests per minute must be a whole number or unlimited: -1
      """)
  void invalidNumbersAreRejected(String arguments, String message) {
    Result result = terminal.run(arguments.split(" "));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).startsWith("tidegate: " + message);
  }

  @Test
  void namesThatAreTooLongAreRejected() {
    Result result = terminal.run("workspaces", "create", "n".repeat(513));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).startsWith("tidegate: name must have at most 512 characters");
  }

  @Test
  void commandsWorkWhileAServerHasTheCatalogOpen() throws SQLException {
    String workspace = out("workspaces", "create", "acme");
    try (Catalog server = Catalog.open(url(), null, null, true)) {
      long before = server.version();
      out("keys", "create", "--name=ci");
      assertThat(server.changesSince(before).keys())
          .singleElement()
          .satisfies(key -> assertThat(key.workspaceId()).isEqualTo(workspace));
    }
  }

  @Test
  void unreachableDatabaseIsReportedInOneLine() {
    Result result = new Terminal()
        .run("keys", "list", "--jdbc-url=jdbc:mariadb://127.0.0.1:1/t?user=me&password=hunter2");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.err())
        .startsWith("tidegate: catalog unavailable: ")
        .doesNotContain("hunter2");
  }

  @Test
  void urlWithoutADriverIsInvalid() {
    Result result = new Terminal().run("keys", "list", "--jdbc-url=jdbc:oracle:thin:me/hunter2@db");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("tidegate: jdbc-url must be a MySQL or MariaDB URL")
        .doesNotContain("hunter2");
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

  private CatalogChanges catalog() throws SQLException {
    try (Catalog catalog = Catalog.open(url(), null, null, true)) {
      return catalog.changesSince(0);
    }
  }

  private RootKey firstKey() {
    try {
      return catalog().keys().get(0);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static String sha256(String text) throws Exception {
    return HexFormat.of()
        .formatHex(
            MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
  }
}
