package io.tidegate.server.service;

import static io.tidegate.server.service.ServiceFixture.await;
import static io.tidegate.server.service.ServiceFixture.refusal;
import static io.tidegate.server.service.ServiceFixture.request;
import static io.tidegate.server.service.ServiceFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.Namespace;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.rules.RuleSet;
import io.tidegate.server.log.LogDenials;
import io.tidegate.server.service.Refusal.MissingPermission;
import io.tidegate.server.service.Refusal.Reason;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The steps of a request and their order, without HTTP. */
@Timeout(60)
class LimitServiceTest {

  private static final String UNKNOWN_ID = "rlns_000000000";

  @TempDir
  Path directory;

  private ServiceFixture node;
  private LimitService service;
  private NewRootKey key;

  @BeforeEach
  void start() throws SQLException {
    node = new ServiceFixture(directory);
    key = node.newKey(ServiceFixture.ALL_PERMISSIONS);
    service = new LimitService(node.limiter, node.follower, () -> RuleSet.EMPTY, LogDenials.OFF);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private static LimitEntry entry(String namespace) {
    return entry(namespace, "user");
  }

  private static LimitEntry entry(String namespace, String identifier) {
    return new LimitEntry(namespace, identifier, 10, 60_000, 1);
  }

  private CompletableFuture<ServiceResult<EntryDecision>> limit(
      NewRootKey caller, String namespace) {
    return service.limit(request(caller), entry(namespace), node.time);
  }

  private CompletableFuture<ServiceResult<BatchResult>> limitAll(
      NewRootKey caller, String... namespaces) {
    return service.limitAll(
        request(caller),
        List.of(namespaces).stream().map(LimitServiceTest::entry).toList(),
        node.time);
  }

  private void throttle(long requestsPerMinute) throws SQLException {
    node.catalog.setRequestsPerMinute(node.workspace, requestsPerMinute);
  }

  private static MissingPermission missing(String... anyOf) {
    return new MissingPermission(List.of(anyOf));
  }

  // Decisions

  @Test
  void decidesWithoutWaiting() throws Exception {
    node.newNamespace("calls");
    node.start();
    CompletableFuture<ServiceResult<EntryDecision>> result = service.limit(
        request(key, task -> {
          throw new AssertionError("nothing has to wait");
        }),
        entry("calls"),
        node.time);

    assertThat(result).isDone();
    assertThat(value(result).decision().remaining()).isEqualTo(9);
    assertThat(value(result).overrideId()).isNull();
    assertThat(await(result).throttle()).isNull();
  }

  @Test
  void findsANamespaceByItsIdAndCountsUnderItsName() throws Exception {
    Namespace namespace = node.newNamespace("calls");
    node.start();
    assertThat(value(limit(key, "calls")).decision().remaining()).isEqualTo(9);

    assertThat(value(limit(key, namespace.id())).decision().remaining()).isEqualTo(8);
    assertThat(value(limit(key, namespace.id())).entry().namespace()).isEqualTo(namespace.id());
  }

  @Test
  void appliesAnOverride() throws Exception {
    Namespace namespace = node.newNamespace("calls");
    String id =
        node.catalog.setOverride(namespace.id(), "us*", 3, 1_000, "test").id();
    node.start();

    EntryDecision result = value(limit(key, "calls"));
    assertThat(result.overrideId()).isEqualTo(id);
    assertThat(result.decision().limit()).isEqualTo(3);
    assertThat(result.decision().resetAtMillis()).isEqualTo(node.time.millis() + 1_000);
  }

  @Test
  void readsTheTimeWhenItDecides() throws Exception {
    node.start();
    AtomicInteger reads = new AtomicInteger();
    InstantSource clock = () -> {
      try {
        assertThat(node.namespaceNames()).as("created before").contains("new");
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
      reads.incrementAndGet();
      return Instant.ofEpochMilli(90_000);
    };

    EntryDecision result = value(service.limit(request(key), entry("new"), clock));
    assertThat(result.decision().resetAtMillis()).isEqualTo(120_000);
    assertThat(reads).hasValue(1);
  }

  @Test
  void chargesABatchAsAWhole() throws Exception {
    node.newNamespace("calls");
    node.start();
    LimitEntry tooMuch = new LimitEntry("calls", "other", 10, 60_000, 11);
    BatchResult denied =
        value(service.limitAll(request(key), List.of(entry("calls"), tooMuch), node.time));

    assertThat(denied.allowed()).isFalse();
    assertThat(denied.entries())
        .extracting(EntryDecision::entry)
        .containsExactly(entry("calls"), tooMuch);
    assertThat(denied.entries())
        .extracting(entry -> entry.decision().allowed())
        .containsExactly(true, false);
    assertThat(value(limitAll(key, "calls", "calls")).entries())
        .extracting(entry -> entry.decision().remaining())
        .as("nothing was charged before, and both entries count")
        .containsExactly(9L, 8L);
  }

  // Authenticate

  @Test
  void refusesARequestWithoutKey() throws Exception {
    assertThat(refusal(service.limit(request(null), entry("calls"), node.time)))
        .as("even before the catalog is read")
        .isEqualTo(Reason.MISSING_KEY);
  }

  @Test
  void refusesEverythingUntilTheCatalogIsRead() throws Exception {
    assertThat(refusal(limit(key, "calls"))).isEqualTo(Reason.CATALOG_NOT_READ);
    node.start();
    assertThat(value(limit(key, "calls")).decision().allowed()).isTrue();
  }

  @Test
  void refusesUnknownAndRevokedKeys() throws Exception {
    NewRootKey revoked = node.newKey(ServiceFixture.ALL_PERMISSIONS);
    node.catalog.revokeKey(revoked.key().id());
    node.start();

    assertThat(refusal(limit(new NewRootKey(key.key(), key.secret() + "x"), "calls")))
        .isEqualTo(Reason.UNKNOWN_KEY);
    assertThat(refusal(limit(new NewRootKey(key.key(), key.secret() + " "), "calls")))
        .isEqualTo(Reason.UNKNOWN_KEY);
    assertThat(refusal(limit(revoked, "calls"))).isEqualTo(Reason.UNKNOWN_KEY);
    assertThat(refusal(limitAll(revoked, "calls"))).isEqualTo(Reason.UNKNOWN_KEY);
  }

  @Test
  void refusesDisabledKeysAndWorkspaces() throws Exception {
    NewRootKey disabled = node.newKey(ServiceFixture.ALL_PERMISSIONS);
    node.catalog.disableKey(disabled.key().id());
    node.start();
    assertThat(refusal(limit(disabled, "calls"))).isEqualTo(Reason.KEY_DISABLED);

    node.catalog.disableWorkspace(node.workspace);
    node.sync();
    assertThat(refusal(limit(disabled, "calls")))
        .as("the key first")
        .isEqualTo(Reason.KEY_DISABLED);
    assertThat(refusal(limit(key, "calls"))).isEqualTo(Reason.WORKSPACE_DISABLED);
  }

  // Throttle

  @Test
  void everyResultOfAThrottledWorkspaceHasTheDecision() throws Exception {
    throttle(2);
    node.start();
    ServiceResult<EntryDecision> allowed = await(limit(key, "calls"));
    ServiceResult<EntryDecision> refused = await(limit(key, UNKNOWN_ID));
    ServiceResult<EntryDecision> throttled = await(limit(key, "calls"));

    assertThat(allowed.throttle().remaining()).isEqualTo(1);
    assertThat(((ServiceResult.Refused<?>) refused).refusal())
        .isEqualTo(Reason.NAMESPACE_NOT_FOUND);
    assertThat(refused.throttle().remaining()).isEqualTo(0);
    assertThat(((ServiceResult.Refused<?>) throttled).refusal())
        .isEqualTo(Reason.WORKSPACE_THROTTLED);
    assertThat(throttled.throttle().allowed()).isFalse();
  }

  @Test
  void unauthenticatedRequestsAreNotThrottled() throws Exception {
    throttle(1);
    NewRootKey disabled = node.newKey();
    node.catalog.disableKey(disabled.key().id());
    node.start();
    for (int i = 0; i < 3; i++) {
      assertThat(await(limit(disabled, "calls")).throttle()).isNull();
    }
    assertThat(value(limit(key, "calls")).decision().allowed()).isTrue();
  }

  @Test
  void throttledRequestsCreateAndCountNothing() throws Exception {
    throttle(0);
    node.start();
    assertThat(refusal(limitAll(key, "new", UNKNOWN_ID))).isEqualTo(Reason.WORKSPACE_THROTTLED);
    assertThat(refusal(limit(key, "new"))).isEqualTo(Reason.WORKSPACE_THROTTLED);
    assertThat(node.namespaceNames()).isEmpty();

    node.catalog.setRequestsPerMinute(node.workspace, null);
    node.sync();
    assertThat(value(limit(key, "new")).decision().remaining()).isEqualTo(9);
  }

  @Test
  void aThrottleThatFailsAdmitsTheRequest() throws Exception {
    throttle(0);
    node.newNamespace("calls");
    node.start();
    node.clockFails = true;

    ServiceResult<EntryDecision> result = await(limit(key, "calls"));
    assertThat(
            ((ServiceResult.Success<EntryDecision>) result).value().decision().allowed())
        .isTrue();
    assertThat(result.throttle()).isNull();
  }

  // Resolve

  @Test
  void createsMissingNamespacesOnce() throws Exception {
    node.start();
    assertThat(value(limitAll(key, "a", "b", "a")).allowed()).isTrue();
    assertThat(value(limit(key, "c")).decision().allowed()).isTrue();
    assertThat(value(limit(key, "c")).decision().remaining()).isEqualTo(8);

    assertThat(node.namespaceNames()).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void continuesOnTheExecutorAfterAWait() throws Exception {
    node.start();
    BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    CompletableFuture<ServiceResult<EntryDecision>> result =
        service.limit(request(key, tasks::add), entry("new"), node.time);

    Runnable next = tasks.poll(20, TimeUnit.SECONDS);
    assertThat(result)
        .as("the namespace is created, and the request has to go on")
        .isNotDone();
    next.run();
    assertThat(result).isDone();
    assertThat(value(result).decision().remaining()).isEqualTo(9);
  }

  @Test
  void decidesWithoutANamespaceWhileTheCatalogFails() throws Exception {
    node.newNamespace("calls");
    node.start();
    node.failCatalog();

    assertThat(value(limit(key, "calls")).decision().remaining()).isEqualTo(9);
    assertThat(value(limit(key, "new")).decision().remaining()).isEqualTo(9);
    assertThat(value(limit(key, "new")).decision().remaining()).isEqualTo(8);
    assertThat(value(limitAll(key, "new", "newer")).allowed()).isTrue();
    assertThat(node.namespaceNames()).containsExactly("calls");
  }

  @Test
  void unknownIdsAreNotCreated() throws Exception {
    node.start();
    assertThat(refusal(limit(key, UNKNOWN_ID))).isEqualTo(Reason.NAMESPACE_NOT_FOUND);
    assertThat(refusal(limitAll(key, "new", UNKNOWN_ID))).isEqualTo(Reason.NAMESPACE_NOT_FOUND);
    assertThat(node.namespaceNames()).isEmpty();
  }

  @Test
  void creationNeedsBothPermissions() throws Exception {
    NewRootKey limits = node.newKey("ratelimit.*.limit");
    NewRootKey creates = node.newKey("ratelimit.*.create_namespace");
    node.start();

    assertThat(refusal(limit(limits, "new"))).isEqualTo(missing("ratelimit.*.create_namespace"));
    assertThat(refusal(limit(creates, "new"))).isEqualTo(missing("ratelimit.*.limit"));
    assertThat(refusal(limitAll(limits, "new"))).isEqualTo(missing("ratelimit.*.create_namespace"));
    assertThat(node.namespaceNames()).isEmpty();
  }

  @Test
  void aWorkspaceHasABoundedNumberOfNamespaces() throws Exception {
    node.start();
    node.fillNamespaces(LimitService.MAX_NAMESPACES - 1);

    assertThat(refusal(limitAll(key, "one", "two"))).isEqualTo(Reason.TOO_MANY_NAMESPACES);
    assertThat(value(limit(key, "one")).decision().allowed()).isTrue();
    assertThat(refusal(limit(key, "two"))).isEqualTo(Reason.TOO_MANY_NAMESPACES);
    assertThat(value(limit(key, "n5")).decision().allowed()).isTrue();
  }

  @Test
  void namespacesNeedAPermission() throws Exception {
    Namespace mine = node.newNamespace("mine");
    Namespace other = node.newNamespace("other");
    NewRootKey limited = node.newKey("ratelimit." + mine.id() + ".limit");
    node.start();
    MissingPermission expected = missing("ratelimit.*.limit", "ratelimit." + other.id() + ".limit");

    assertThat(value(limit(limited, "mine")).decision().remaining()).isEqualTo(9);
    assertThat(refusal(limit(limited, "other"))).isEqualTo(expected);
    assertThat(refusal(limitAll(limited, "mine", "other"))).isEqualTo(expected);
    assertThat(value(limit(limited, "mine")).decision().remaining())
        .as("refused entries count nothing")
        .isEqualTo(8);
  }

  @Test
  void deletedNamespacesAreRefused() throws Exception {
    node.newNamespace("kept");
    Namespace deleted = node.newDeletedNamespace("deleted");
    node.start();

    assertThat(refusal(limit(key, "deleted"))).isEqualTo(Reason.NAMESPACE_DELETED);
    assertThat(refusal(limit(key, deleted.id()))).isEqualTo(Reason.NAMESPACE_DELETED);
    assertThat(refusal(limitAll(key, "kept", "deleted"))).isEqualTo(Reason.NAMESPACE_DELETED);
  }

  /** As clients of the reference system expect. */
  @Test
  void deletionComesFirstForOneEntryAndThePermissionForABatch() throws Exception {
    Namespace deleted = node.newDeletedNamespace("deleted");
    NewRootKey stranger = node.newKey();
    node.start();

    assertThat(refusal(limit(stranger, "deleted"))).isEqualTo(Reason.NAMESPACE_DELETED);
    assertThat(refusal(limitAll(stranger, "deleted")))
        .isEqualTo(missing("ratelimit.*.limit", "ratelimit." + deleted.id() + ".limit"));
  }

  /** The node has not read yet that another node created and deleted the namespace. */
  @Test
  void namespaceThatAnotherNodeDeletedIsRefused() throws Exception {
    node.start();
    node.newDeletedNamespace("deleted");

    assertThat(refusal(limit(key, "deleted"))).isEqualTo(Reason.NAMESPACE_DELETED);
  }
}
