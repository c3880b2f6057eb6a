package io.tidegate.server.service;

import io.tidegate.RateLimiter;
import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.CatalogChanges;
import io.tidegate.catalog.Namespace;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.testing.VirtualTime;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A limiter in memory, a catalog in a file, and a node's copy of that catalog. No HTTP. */
final class ServiceFixture implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  static final String[] ALL_PERMISSIONS = {
    "ratelimit.*.limit",
    "ratelimit.*.create_namespace",
    "ratelimit.*.set_override",
    "ratelimit.*.read_override",
    "ratelimit.*.delete_override"
  };

  final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));

  /** The clock of the limiter, which decides the throttle; fails while this is set. */
  volatile boolean clockFails;

  final RateLimiter limiter = RateLimiter.builder()
      .clock((InstantSource) this::limiterTime)
      .scheduler(time)
      .build();

  /** What operators and other nodes edit. */
  final Catalog catalog;

  private final Catalog followed;
  final CatalogFollower follower;
  private final Reads reads = new Reads();
  final String workspace;

  ServiceFixture(Path directory) throws SQLException {
    String url = Catalog.urlOfFile(directory);
    this.catalog = Catalog.open(url, null, null, true);
    this.followed = Catalog.open(url, null, null, true);
    this.follower = new CatalogFollower(followed, null, reads);
    this.workspace = catalog.createWorkspace("test", null).id();
  }

  private Instant limiterTime() {
    if (clockFails) {
      throw new IllegalStateException("the clock fails");
    }
    return time.instant();
  }

  /** Starts to follow the catalog, and returns when all edits so far are known. */
  ServiceFixture start() throws SQLException {
    follower.start();
    return sync();
  }

  /** Returns when the node knows all edits so far. */
  ServiceFixture sync() throws SQLException {
    reads.awaitVersion(catalog.version());
    return this;
  }

  /** Makes the catalog of the node fail, and returns when the node has noticed. */
  void failCatalog() throws InterruptedException {
    followed.close();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!follower.isFailing()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("the node has not noticed that its catalog fails");
      }
      Thread.sleep(10);
    }
  }

  NewRootKey newKey(String... permissions) throws SQLException {
    return catalog.createKey(workspace, "test", Set.of(permissions));
  }

  Namespace newNamespace(String name) throws SQLException {
    return catalog.createNamespace(workspace, name, "test");
  }

  Namespace newDeletedNamespace(String name) throws SQLException {
    Namespace namespace = newNamespace(name);
    return catalog.deleteNamespace(namespace.id(), "test").orElseThrow();
  }

  List<String> namespaceNames() throws SQLException {
    return catalog.changesSince(0).namespaces().stream().map(Namespace::name).toList();
  }

  /** Lets the node know namespaces that are not in the catalog. */
  void fillNamespaces(int count) {
    List<Namespace> namespaces = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      namespaces.add(new Namespace("rlns_%09d".formatted(i), workspace, "n" + i, false, 0, 1));
    }
    follower.directory().apply(new CatalogChanges(1, List.of(), List.of(), namespaces, List.of()));
  }

  static ServiceRequest request(@Nullable NewRootKey key) {
    return request(key, Runnable::run);
  }

  static ServiceRequest request(@Nullable NewRootKey key, Executor executor) {
    return new ServiceRequest(
        "req_test", "/test", key == null ? null : new RootKeySecret(key.secret()), executor);
  }

  static <T> ServiceResult<T> await(CompletableFuture<ServiceResult<T>> result) throws Exception {
    return result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  static <T> T value(CompletableFuture<ServiceResult<T>> result) throws Exception {
    return ((ServiceResult.Success<T>) await(result)).value();
  }

  static <T> Refusal refusal(CompletableFuture<ServiceResult<T>> result) throws Exception {
    return ((ServiceResult.Refused<T>) await(result)).refusal();
  }

  @Override
  public void close() {
    follower.close();
    catalog.close();
    limiter.close();
  }

  /** The version of the catalog that the node has read. */
  private static final class Reads implements CatalogFollower.Listener {

    private long version = -1;

    @Override
    public synchronized void catalogRead(long read) {
      version = read;
      notifyAll();
    }

    synchronized void awaitVersion(long wanted) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      try {
        while (version < wanted) {
          long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
          if (millis <= 0) {
            throw new AssertionError("version " + wanted + " was not read, only " + version);
          }
          wait(millis);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }

    @Override
    public void catalogFailed(Throwable failure) {}

    @Override
    public void firstKeyCreated(NewRootKey key) {}
  }
}
