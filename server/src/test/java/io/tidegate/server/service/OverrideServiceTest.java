package io.tidegate.server.service;

import static io.tidegate.server.service.ServiceFixture.await;
import static io.tidegate.server.service.ServiceFixture.refusal;
import static io.tidegate.server.service.ServiceFixture.request;
import static io.tidegate.server.service.ServiceFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.CatalogChanges;
import io.tidegate.catalog.LimitOverride;
import io.tidegate.catalog.Namespace;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.service.Refusal.CatalogUnavailable;
import io.tidegate.server.service.Refusal.MissingPermission;
import io.tidegate.server.service.Refusal.Reason;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Overrides, without HTTP. */
@Timeout(60)
class OverrideServiceTest {

  @TempDir
  Path directory;

  private ServiceFixture node;
  private OverrideService service;
  private NewRootKey key;
  private Namespace calls;

  @BeforeEach
  void start() throws SQLException {
    node = new ServiceFixture(directory);
    key = node.newKey(ServiceFixture.ALL_PERMISSIONS);
    calls = node.newNamespace("calls");
    service = new OverrideService(node.limiter, node.follower);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  /** Each operation, as a caller of this key would use it. */
  private Map<String, CompletableFuture<? extends ServiceResult<?>>> operations(
      NewRootKey caller, String namespace) {
    ServiceRequest request = request(caller);
    return Map.of(
        "set_override", service.set(request, namespace, "user", 5, 1_000),
        "read_override", service.list(request, namespace, "", 10),
        "delete_override", service.delete(request, namespace, "user"));
  }

  private static Refusal refused(CompletableFuture<? extends ServiceResult<?>> result) {
    return ((ServiceResult.Refused<?>) result.join()).refusal();
  }

  @Test
  void anEditIsVisibleAtOnce() throws Exception {
    node.start();
    OverrideDetails set = value(service.set(request(key), "calls", "u*", 5, 1_000));
    assertThat(set).isEqualTo(new OverrideDetails(set.id(), "u*", 5, 1_000));
    assertThat(value(service.get(request(key), "calls", "user"))).isEqualTo(set);
    assertThat(value(service.list(request(key), calls.id(), "", 10)))
        .isEqualTo(new OverridePage(List.of(set), null));

    assertThat(refusal(service.delete(request(key), "calls", "user")))
        .as("only the exact pattern is deleted")
        .isEqualTo(Reason.OVERRIDE_NOT_FOUND);
    assertThat(value(service.delete(request(key), "calls", "u*"))).isEqualTo(set);
    assertThat(refusal(service.get(request(key), "calls", "user")))
        .isEqualTo(Reason.OVERRIDE_NOT_FOUND);
  }

  @Test
  void pagesContinueAtTheirCursor() throws Exception {
    for (String identifier : List.of("a", "b", "c")) {
      node.catalog.setOverride(calls.id(), identifier, 1, 1_000, "test");
    }
    node.start();
    OverridePage first = value(service.list(request(key), "calls", "", 2));
    assertThat(first.overrides()).hasSize(2);
    assertThat(value(service.list(request(key), "calls", "", 3)).nextCursor())
        .as("the page holds all")
        .isNull();
    OverridePage last = value(service.list(request(key), "calls", first.nextCursor(), 2));
    assertThat(last.nextCursor()).isNull();
    assertThat(last.overrides())
        .extracting(OverrideDetails::id)
        .containsExactly(first.nextCursor());
  }

  @Test
  void missingAndDeletedNamespacesAreNotFound() throws Exception {
    node.newDeletedNamespace("deleted");
    node.start();
    for (String namespace : List.of("deleted", "unknown")) {
      operations(key, namespace)
          .forEach((name, result) ->
              assertThat(refused(result)).as(name).isEqualTo(Reason.NAMESPACE_NOT_FOUND));
      assertThat(refusal(service.get(request(key), namespace, "user")))
          .isEqualTo(Reason.NAMESPACE_NOT_FOUND);
    }
    assertThat(node.namespaceNames()).containsExactlyInAnyOrder("calls", "deleted");
  }

  @Test
  void everyOperationNeedsItsPermission() throws Exception {
    node.catalog.setOverride(calls.id(), "user", 1, 1_000, "test");
    NewRootKey stranger = node.newKey("ratelimit.*.limit");
    node.start();
    operations(stranger, "calls")
        .forEach((action, result) -> assertThat(refused(result))
            .isEqualTo(new MissingPermission(
                List.of("ratelimit.*." + action, "ratelimit." + calls.id() + "." + action))));
    assertThat(refusal(service.get(request(stranger), "calls", "user")))
        .as("does not reveal that it exists")
        .isEqualTo(Reason.OVERRIDE_NOT_FOUND);
  }

  @Test
  void authenticatesAndThrottlesFirst() throws Exception {
    node.start();
    assertThat(refusal(service.get(request(null), "unknown", "user")))
        .isEqualTo(Reason.MISSING_KEY);
    node.catalog.setRequestsPerMinute(node.workspace, 0L);
    node.sync();
    operations(key, "unknown")
        .forEach((name, result) ->
            assertThat(refused(result)).as(name).isEqualTo(Reason.WORKSPACE_THROTTLED));
    assertThat(await(service.get(request(key), "unknown", "user")).throttle().allowed())
        .isFalse();
  }

  @Test
  void aNamespaceHasABoundedNumberOfWildcards() throws Exception {
    node.start();
    List<LimitOverride> overrides = new ArrayList<>();
    for (int i = 0; i < OverrideService.MAX_WILDCARDS; i++) {
      overrides.add(new LimitOverride(
          "rlor_%09d".formatted(i), node.workspace, calls.id(), i + "*", 1, 1_000, false, 0, 0, 1));
    }
    node.follower
        .directory()
        .apply(new CatalogChanges(1, List.of(), List.of(), List.of(), overrides));

    assertThat(refusal(service.set(request(key), "calls", "more*", 1, 1_000)))
        .isEqualTo(Reason.TOO_MANY_OVERRIDES);
    assertThat(value(service.set(request(key), "calls", "exact", 1, 1_000)).identifier())
        .isEqualTo("exact");
  }

  @Test
  void editsNeedTheCatalogAndReadsDoNot() throws Exception {
    node.catalog.setOverride(calls.id(), "user", 1, 1_000, "test");
    node.start();
    node.failCatalog();

    assertThat(refusal(service.set(request(key), "calls", "user", 5, 1_000)))
        .isInstanceOf(CatalogUnavailable.class);
    assertThat(refusal(service.delete(request(key), "calls", "user")))
        .isInstanceOf(CatalogUnavailable.class);
    assertThat(value(service.get(request(key), "calls", "user")).limit()).isEqualTo(1);
  }

  @Test
  void aWorkspaceHasABoundedNumberOfOverrides() throws Exception {
    node.start();
    List<LimitOverride> overrides = new ArrayList<>();
    for (int i = 1; i < OverrideService.MAX_OVERRIDES; i++) {
      boolean deleted = i % 2 == 0;
      overrides.add(new LimitOverride(
          "rlor_%09d".formatted(i),
          node.workspace,
          calls.id(),
          "u" + i,
          1,
          1_000,
          deleted,
          0,
          0,
          1));
    }
    node.follower
        .directory()
        .apply(new CatalogChanges(1, List.of(), List.of(), List.of(), overrides));

    assertThat(value(service.set(request(key), "calls", "last", 1, 1_000)).identifier())
        .isEqualTo("last");
    assertThat(refusal(service.set(request(key), "calls", "more", 1, 1_000)))
        .as("deleted ones count")
        .isEqualTo(Reason.TOO_MANY_OVERRIDES);
    assertThat(value(service.set(request(key), "calls", "last", 2, 1_000)).limit())
        .as("an existing one can change")
        .isEqualTo(2);
  }

  @Test
  void aKeyMayReadTheOverridesOfOneNamespaceOnly() throws Exception {
    Namespace other = node.newNamespace("other");
    for (Namespace namespace : List.of(calls, other)) {
      node.catalog.setOverride(namespace.id(), "user", 1, 1_000, "test");
    }
    NewRootKey reader = node.newKey("unkey:v1:" + node.workspace + ":ratelimits/namespaces/"
        + calls.id() + "/overrides/*#read_override");
    node.start();
    assertThat(value(service.get(request(reader), "calls", "user")).identifier())
        .isEqualTo("user");
    assertThat(refusal(service.get(request(reader), "other", "user")))
        .isEqualTo(Reason.OVERRIDE_NOT_FOUND);
  }

  @Test
  void failedEditsDoNotBlockLaterOnes() throws Exception {
    node.start();
    for (int i = 0; i < 100; i++) { // more than may be pending
      assertThat(refusal(service.set(request(key), "calls", "half a pair: \ud83d", 1, 1_000)))
          .isInstanceOf(CatalogUnavailable.class);
    }
    assertThat(value(service.set(request(key), "calls", "user", 1, 1_000)).identifier())
        .isEqualTo("user");
  }
}
