package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.Namespace;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.Waiting;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Edits of the catalog: how soon which node knows of them, and what holds without a database. */
class CatalogEditsTest {

  /** What is promised: no node follows an edit later. */
  private static final Duration PROMISED = Duration.ofSeconds(2);

  private static final long MONTH = 2_592_000_000L;

  private static String request(String namespace, String identifier) {
    return Json.object(
        "namespace", namespace, "identifier", identifier, "limit", 10, "duration", MONTH);
  }

  private static String override(String namespace, String identifier, long limit) {
    return Json.object(
        "namespace", namespace, "identifier", identifier, "limit", limit, "duration", MONTH);
  }

  /** Edits by others that use the same file. */
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class InAFile {

    private Node node;
    private Catalog others;

    @BeforeAll
    void start() {
      node = Node.start();
      others = node.catalog();
    }

    @AfterAll
    void stop() {
      node.close();
    }

    private Namespace namespace(String name) throws SQLException {
      assertThat(node.ask("limit", request(name, "x")).status()).isEqualTo(200);
      return others.createNamespace(node.workspaceId(), name, "test");
    }

    @Test
    void ofOverridesAreKnownWithinTwoSeconds() throws SQLException {
      Namespace namespace = namespace("overrides");
      others.setOverride(namespace.id(), "v*", 77, MONTH, "test");
      Waiting.untilPassed(
          PROMISED,
          () -> assertThat(node.ask("limit", request("overrides", "vip")).data())
              .containsEntry("limit", 77L));
      others.setOverride(namespace.id(), "v*", 78, MONTH, "test");
      Waiting.untilPassed(
          PROMISED,
          () -> assertThat(node.ask("limit", request("overrides", "vip")).data())
              .containsEntry("limit", 78L));
      others.deleteOverride(namespace.id(), "v*", "test");
      Waiting.untilPassed(
          PROMISED,
          () -> assertThat(node.ask("limit", request("overrides", "vip")).data())
              .containsEntry("limit", 10L)
              .doesNotContainKey("overrideId"));
    }

    @Test
    void ofNamespacesAreKnownWithinTwoSeconds() throws SQLException {
      Namespace namespace = namespace("namespaces");
      others.setNamespaceDeleted(namespace.id(), true, "test");
      Waiting.untilPassed(
          PROMISED,
          () ->
              assertThat(node.ask("limit", request("namespaces", "x")).status()).isEqualTo(410));
      others.setNamespaceDeleted(namespace.id(), false, "test");
      Waiting.untilPassed(
          PROMISED,
          () ->
              assertThat(node.ask("limit", request("namespaces", "x")).status()).isEqualTo(200));

      others.createNamespace(node.workspaceId(), "made by others", "test");
      Waiting.untilPassed(
          PROMISED,
          () -> assertThat(node.ask("listOverrides", Json.object("namespace", "made by others"))
                  .status())
              .isEqualTo(200));
    }

    @Test
    void ofKeysAndWorkspacesAreKnownWithinTwoSeconds() throws SQLException {
      String workspace = others.createWorkspace("new", null).id();
      NewRootKey key = others.createKey(
          workspace, "new", Set.of("ratelimit.*.limit", "ratelimit.*.create_namespace"));
      awaitStatus(key.secret(), 200);
      others.setKeyEnabled(key.key().id(), false);
      awaitStatus(key.secret(), 403);
      others.setKeyEnabled(key.key().id(), true);
      awaitStatus(key.secret(), 200);
      others.setWorkspaceEnabled(workspace, false);
      awaitStatus(key.secret(), 403);
      others.setRequestsPerMinute(workspace, 0L);
      others.setWorkspaceEnabled(workspace, true);
      awaitStatus(key.secret(), 429);
      others.setRequestsPerMinute(workspace, null);
      awaitStatus(key.secret(), 200);
      others.revokeKey(key.key().id());
      awaitStatus(key.secret(), 401);
    }

    private void awaitStatus(String key, int status) {
      Waiting.untilPassed(
          PROMISED,
          () -> assertThat(node.askAs(key, "limit", request("keys", "x")).status())
              .isEqualTo(status));
    }

    @Test
    void ofTheNodeItselfAreKnownAtOnce() throws SQLException {
      namespace("own");
      for (long limit = 20; limit < 40; limit++) {
        node.ask("setOverride", override("own", "v*", limit));
        assertThat(node.ask("limit", request("own", "vip")).data()).containsEntry("limit", limit);
        node.ask("deleteOverride", Json.object("namespace", "own", "identifier", "v*"));
        assertThat(node.ask("limit", request("own", "vip")).data()).containsEntry("limit", 10L);
      }
    }
  }

  /** Two nodes of two regions, and a database that comes and goes. */
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  class InADatabase {

    /** To connect again takes some seconds. */
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
    void ofOneNodeAreKnownToTheOtherWithinTwoSeconds() {
      ask(here, "limit", request("shared", "vip"));
      Waiting.untilPassed(
          PROMISED,
          () -> assertThat(ask(there, "listOverrides", Json.object("namespace", "shared"))
                  .status())
              .isEqualTo(200));

      String id =
          (String) ask(here, "setOverride", override("shared", "v*", 77)).data().get("overrideId");
      Waiting.untilPassed(
          PROMISED,
          () -> assertThat(ask(there, "limit", request("shared", "vip")).data())
              .containsEntry("limit", 77L)
              .containsEntry("overrideId", id));

      assertThat(ask(there, "setOverride", override("shared", "v*", 78)).data())
          .containsEntry("overrideId", id);
      Waiting.untilPassed(
          PROMISED,
          () -> assertThat(ask(here, "limit", request("shared", "vip")).data())
              .containsEntry("limit", 78L));

      ask(there, "deleteOverride", Json.object("namespace", "shared", "identifier", "v*"));
      Waiting.untilPassed(
          PROMISED,
          () -> assertThat(ask(here, "limit", request("shared", "vip")).data())
              .containsEntry("limit", 10L));
    }

    @Test
    @Order(2)
    void aNamespaceThatBothMakeAtOnceIsOne() throws SQLException {
      String first = override("both", "x", 5);
      ask(here, "limit", request("both", "x"));
      ask(there, "limit", request("both", "x")); // which may not know it yet
      Object id = ask(here, "setOverride", first).data().get("overrideId");
      assertThat(ask(there, "setOverride", first).data()).containsEntry("overrideId", id);
      assertThat(here.catalog().changesSince(0).namespaces())
          .filteredOn(namespace -> namespace.name().equals("both"))
          .hasSize(1);
    }

    @Test
    @Order(3)
    void withoutTheDatabaseWhatIsKnownHoldsAndEditsAreRefused() {
      ask(here, "limit", request("outage", "x"));
      ask(here, "setOverride", override("outage", "v*", 55));
      database.kill();
      try {
        assertThat(ask(here, "limit", request("outage", "vip")).data())
            .containsEntry("success", true)
            .containsEntry("limit", 55L);
        Answer unknown = ask(here, "limit", request("not made yet", "x"));
        assertThat(unknown.status()).isEqualTo(200);
        assertThat(unknown.data()).containsEntry("remaining", 9L);
        assertThat(ask(here, "limit", request("not made yet", "x")).data())
            .as("counts go by the name")
            .containsEntry("remaining", 8L);
        assertThat(ask(here, "multiLimit", "[" + request("nor this", "x") + "]").data())
            .containsEntry("passed", true);
        assertThat(ask(here, "getOverride", Json.object("namespace", "outage", "identifier", "vip"))
                .data())
            .containsEntry("limit", 55L);

        for (Answer refused : List.of(
            ask(here, "setOverride", override("outage", "v*", 66)),
            ask(here, "deleteOverride", Json.object("namespace", "outage", "identifier", "v*")))) {
          assertThat(refused.status()).isEqualTo(500);
          assertThat(refused.error())
              .containsEntry("title", "Internal Server Error")
              .containsEntry(
                  "type", "https://unkey.com/docs/errors/unkey/application/service_unavailable");
        }
        assertThat(ask(here, "limit", request("outage", "vip")).data()).containsEntry("limit", 55L);

        // Edits used to wait for each other's timeouts: behind a hundred new names, for minutes.
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
      assertThat(ask(here, "limit", request("not made yet", "x")).data())
          .as("nothing that was counted is forgotten")
          .containsEntry("remaining", 7L);
      Waiting.untilPassed(
          RECOVERY,
          () -> assertThat(ask(there, "listOverrides", Json.object("namespace", "not made yet"))
                  .status())
              .isEqualTo(200));
    }
  }
}
