package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.Namespace;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.command.Commands;
import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.Waiting;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Delay until nodes apply edits of the catalog, and behaviour without the database. */
class CatalogEditsTest {

  /** The documented bound of the time until all nodes apply an edit. */
  private static final Duration PROPAGATION_BOUND = Duration.ofSeconds(2);

  private static final long MONTH = 2_592_000_000L;

  private static String request(String namespace, String identifier) {
    return Json.object(
        "namespace", namespace, "identifier", identifier, "limit", 10, "duration", MONTH);
  }

  private static String override(String namespace, String identifier, long limit) {
    return Json.object(
        "namespace", namespace, "identifier", identifier, "limit", limit, "duration", MONTH);
  }

  /** Edits through another connection to the same file. */
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class InAFile {

    private Path data;
    private Node node;
    private Catalog elsewhere;

    @BeforeAll
    void start(@TempDir Path directory) {
      data = directory;
      node = Node.start("--data=" + data);
      elsewhere = node.catalog();
    }

    @AfterAll
    void stop() {
      node.close();
    }

    private Namespace namespace(String name) throws SQLException {
      assertThat(node.ask("limit", request(name, "x")).status()).isEqualTo(200);
      return elsewhere.createNamespace(node.workspaceId(), name, "test");
    }

    @Test
    void editsOfOverridesApplyWithinTwoSeconds() throws SQLException {
      Namespace namespace = namespace("overrides");
      elsewhere.setOverride(namespace.id(), "v*", 77, MONTH, "test");
      Waiting.untilPassed(
          PROPAGATION_BOUND,
          () -> assertThat(node.ask("limit", request("overrides", "vip")).data())
              .containsEntry("limit", 77L));
      elsewhere.setOverride(namespace.id(), "v*", 78, MONTH, "test");
      Waiting.untilPassed(
          PROPAGATION_BOUND,
          () -> assertThat(node.ask("limit", request("overrides", "vip")).data())
              .containsEntry("limit", 78L));
      elsewhere.deleteOverride(namespace.id(), "v*", "test");
      Waiting.untilPassed(
          PROPAGATION_BOUND,
          () -> assertThat(node.ask("limit", request("overrides", "vip")).data())
              .containsEntry("limit", 10L)
              .doesNotContainKey("overrideId"));
    }

    @Test
    void commandsForOverridesApplyWithinTwoSeconds() throws SQLException {
      namespace("commands");
      run("overrides", "set", "commands", "v*", "--limit=2", "--duration=30d");
      Waiting.untilPassed(
          PROPAGATION_BOUND,
          () -> assertThat(node.ask("limit", request("commands", "visitor")).data())
              .containsEntry("limit", 2L));
      for (boolean allowed : new boolean[] {true, true, false}) {
        assertThat(node.ask("limit", request("commands", "vip")).data())
            .containsEntry("success", allowed);
      }
      run("overrides", "delete", "commands", "v*");
      Waiting.untilPassed(
          PROPAGATION_BOUND,
          () -> assertThat(node.ask("limit", request("commands", "vip")).data())
              .containsEntry("success", true)
              .containsEntry("limit", 10L));
    }

    private void run(String... arguments) {
      int exitCode = Commands.commandLine(
              Map.of("TIDEGATE_DATA", data.toString()), System.out, System.err, (c, out) -> 0)
          .execute(
              Stream.concat(Stream.of(arguments), Stream.of("--workspace=" + node.workspaceId()))
                  .toArray(String[]::new));
      assertThat(exitCode).isZero();
    }

    @Test
    void editsOfNamespacesApplyWithinTwoSeconds() throws SQLException {
      Namespace namespace = namespace("namespaces");
      elsewhere.deleteNamespace(namespace.id(), "test");
      Waiting.untilPassed(
          PROPAGATION_BOUND,
          () ->
              assertThat(node.ask("limit", request("namespaces", "x")).status()).isEqualTo(410));
      elsewhere.restoreNamespace(namespace.id(), "test");
      Waiting.untilPassed(
          PROPAGATION_BOUND,
          () ->
              assertThat(node.ask("limit", request("namespaces", "x")).status()).isEqualTo(200));

      elsewhere.createNamespace(node.workspaceId(), "created elsewhere", "test");
      Waiting.untilPassed(
          PROPAGATION_BOUND,
          () -> assertThat(node.ask("listOverrides", Json.object("namespace", "created elsewhere"))
                  .status())
              .isEqualTo(200));
    }

    @Test
    void editsOfKeysAndWorkspacesApplyWithinTwoSeconds() throws SQLException {
      String workspace = elsewhere.createWorkspace("new", null).id();
      NewRootKey key = elsewhere.createKey(
          workspace, "new", Set.of("ratelimit.*.limit", "ratelimit.*.create_namespace"));
      awaitStatus(key.secret(), 200);
      elsewhere.disableKey(key.key().id());
      awaitStatus(key.secret(), 403);
      elsewhere.enableKey(key.key().id());
      awaitStatus(key.secret(), 200);
      elsewhere.disableWorkspace(workspace);
      awaitStatus(key.secret(), 403);
      elsewhere.setRequestsPerMinute(workspace, 0L);
      elsewhere.enableWorkspace(workspace);
      awaitStatus(key.secret(), 429);
      elsewhere.setRequestsPerMinute(workspace, null);
      awaitStatus(key.secret(), 200);
      elsewhere.revokeKey(key.key().id());
      awaitStatus(key.secret(), 401);
    }

    private void awaitStatus(String key, int status) {
      Waiting.untilPassed(
          PROPAGATION_BOUND,
          () -> assertThat(node.askAs(key, "limit", request("keys", "x")).status())
              .isEqualTo(status));
    }

    @Test
    void editsOfTheNodeItselfApplyAtOnce() throws SQLException {
      namespace("own");
      for (long limit = 20; limit < 40; limit++) {
        node.ask("setOverride", override("own", "v*", limit));
        assertThat(node.ask("limit", request("own", "vip")).data()).containsEntry("limit", limit);
        node.ask("deleteOverride", Json.object("namespace", "own", "identifier", "v*"));
        assertThat(node.ask("limit", request("own", "vip")).data()).containsEntry("limit", 10L);
      }
    }
  }

  /** Two nodes of two regions, with a database that is stopped and restarted. */
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  class InADatabase {

    /** Reconnecting takes some seconds. */
    private static final Duration RECOVERY = Duration.ofSeconds(60);

    private MariaDbServer database;
    private Node here;
    private Node there;

    @BeforeAll
    void start() {
      database = MariaDbServer.start();
      here = Node.start("--jdbc-url=" + database.jdbcUrl(), "--region=here");
      there = Node.start("--jdbc-url=" + database.jdbcUrl(), "--region=there");
    }

    @AfterAll
    void stop() {
      here.close();
      there.close();
      database.close();
    }

    private Answer ask(Node node, String route, String body) {
      return node.askAs(here.key(), route, body);
    }

    @Test
    @Order(1)
    void editsOfOneNodeApplyOnTheOtherWithinTwoSeconds() {
      ask(here, "limit", request("shared", "vip"));
      Waiting.untilPassed(
          PROPAGATION_BOUND,
          () -> assertThat(ask(there, "listOverrides", Json.object("namespace", "shared"))
                  .status())
              .isEqualTo(200));

      String id =
          (String) ask(here, "setOverride", override("shared", "v*", 77)).data().get("overrideId");
      Waiting.untilPassed(
          PROPAGATION_BOUND,
          () -> assertThat(ask(there, "limit", request("shared", "vip")).data())
              .containsEntry("limit", 77L)
              .containsEntry("overrideId", id));

      assertThat(ask(there, "setOverride", override("shared", "v*", 78)).data())
          .containsEntry("overrideId", id);
      Waiting.untilPassed(
          PROPAGATION_BOUND,
          () -> assertThat(ask(here, "limit", request("shared", "vip")).data())
              .containsEntry("limit", 78L));

      ask(there, "deleteOverride", Json.object("namespace", "shared", "identifier", "v*"));
      Waiting.untilPassed(
          PROPAGATION_BOUND,
          () -> assertThat(ask(here, "limit", request("shared", "vip")).data())
              .containsEntry("limit", 10L));
    }

    @Test
    @Order(2)
    void namespaceThatBothNodesCreateAtOnceExistsOnce() throws SQLException {
      String first = override("both", "x", 5);
      ask(here, "limit", request("both", "x"));
      ask(there, "limit", request("both", "x")); // may not have read it yet
      Object id = ask(here, "setOverride", first).data().get("overrideId");
      assertThat(ask(there, "setOverride", first).data()).containsEntry("overrideId", id);
      assertThat(here.catalog().changesSince(0).namespaces())
          .filteredOn(namespace -> namespace.name().equals("both"))
          .hasSize(1);
    }

    @Test
    @Order(3)
    void withoutTheDatabaseOverridesApplyAndEditsFail() {
      ask(here, "limit", request("outage", "x"));
      ask(here, "setOverride", override("outage", "v*", 55));
      database.kill();
      try {
        assertThat(ask(here, "limit", request("outage", "vip")).data())
            .containsEntry("success", true)
            .containsEntry("limit", 55L);
        Answer uncreated = ask(here, "limit", request("not created yet", "x"));
        assertThat(uncreated.status()).isEqualTo(200);
        assertThat(uncreated.data()).containsEntry("remaining", 9L);
        assertThat(ask(here, "limit", request("not created yet", "x")).data())
            .as("counted by the name of the namespace")
            .containsEntry("remaining", 8L);
        assertThat(ask(here, "multiLimit", "[" + request("neither created", "x") + "]")
                .data())
            .containsEntry("passed", true);
        assertThat(ask(here, "getOverride", Json.object("namespace", "outage", "identifier", "vip"))
                .data())
            .containsEntry("limit", 55L);

        for (Answer failed : List.of(
            ask(here, "setOverride", override("outage", "v*", 66)),
            ask(here, "deleteOverride", Json.object("namespace", "outage", "identifier", "v*")))) {
          assertThat(failed.status()).isEqualTo(500);
          assertThat(failed.error())
              .containsEntry("title", "Internal Server Error")
              .containsEntry(
                  "type", "https://unkey.com/docs/errors/unkey/application/service_unavailable");
        }
        assertThat(ask(here, "limit", request("outage", "vip")).data()).containsEntry("limit", 55L);

        // Edits once waited for each other's timeouts: for minutes, after a hundred new namespaces.
        for (int i = 0; i < 100; i++) {
          assertThat(ask(here, "limit", request("new " + i, "x")).status()).isEqualTo(200);
        }
        assertThat(ask(here, "setOverride", override("outage", "v*", 66)).status())
            .isEqualTo(500);
      } finally {
        database.restart();
      }
      Waiting.untilPassed(
          RECOVERY,
          () -> assertThat(
                  ask(here, "setOverride", override("outage", "v*", 66)).status())
              .isEqualTo(200));
      assertThat(ask(here, "limit", request("outage", "vip")).data()).containsEntry("limit", 66L);
      Waiting.untilPassed(
          RECOVERY,
          () -> assertThat(ask(there, "limit", request("outage", "vip")).data())
              .containsEntry("limit", 66L));
      assertThat(ask(here, "limit", request("not created yet", "x")).data())
          .as("no count is lost")
          .containsEntry("remaining", 7L);
      Waiting.untilPassed(
          RECOVERY,
          () -> assertThat(ask(there, "listOverrides", Json.object("namespace", "not created yet"))
                  .status())
              .isEqualTo(200));
    }
  }
}
