package io.tidegate.server.catalog;

import io.tidegate.catalog.Catalog;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Edits the catalog on behalf of callers. An edit takes effect on this node before its stage
 * completes.
 *
 * <p>Any thread may call. Edits run on threads of this class, on which stages complete too.
 */
public final class CatalogEditor {

  /** Edits are rare, and the database runs them one at a time. */
  private static final int THREADS = 4;

  /** Bound of the edits that wait for a slow database. Further edits fail at once. */
  private static final int MAX_PENDING = 256;

  /** Bound for one workspace, so that it cannot take the whole queue. */
  private static final int MAX_PENDING_PER_WORKSPACE = 64;

  private final Catalog catalog;
  private final BooleanSupplier failing;
  private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
      THREADS,
      THREADS,
      10,
      TimeUnit.SECONDS,
      new ArrayBlockingQueue<>(MAX_PENDING),
      CatalogFollower.threads("tidegate-edit"));

  private record NewName(String workspaceId, String name) {}

  /** Namespaces that are being created: concurrent requests for one of them share its edit. */
  private final Map<NewName, CompletableFuture<KnownNamespace>> newNamespaces =
      new ConcurrentHashMap<>();

  CatalogEditor(Catalog catalog, BooleanSupplier failing) {
    this.catalog = catalog;
    this.failing = failing;
    threads.allowCoreThreadTimeOut(true);
  }

  /** Creates a namespace unless it exists. Completes with the existing one if it does. */
  @SuppressWarnings("FutureReturnValueIgnored") // the ignored stage forwards every outcome
  public CompletableFuture<KnownNamespace> createNamespace(Caller caller, String name) {
    NewName wanted = new NewName(caller.workspace().id(), name);
    CompletableFuture<KnownNamespace> created = new CompletableFuture<>();
    CompletableFuture<KnownNamespace> pending = newNamespaces.putIfAbsent(wanted, created);
    if (pending != null) {
      return pending;
    }
    CompletableFuture<KnownNamespace> edited = edit(
            caller, () -> catalog.createNamespace(wanted.workspaceId, name, caller.keyId()))
        .thenApply(caller.workspace()::apply);
    edited.handle((namespace, failure) -> {
      newNamespaces.remove(wanted);
      return failure == null ? created.complete(namespace) : created.completeExceptionally(failure);
    });
    return created;
  }

  /** Creates, changes or restores an override. */
  public CompletionStage<KnownOverride> setOverride(
      Caller caller, KnownNamespace namespace, String identifier, long limit, long durationMillis) {
    return edit(
            caller,
            () -> catalog.setOverride(
                namespace.id(), identifier, limit, durationMillis, caller.keyId()))
        .thenApply(caller.workspace()::apply);
  }

  /** Deletes the override with exactly this pattern. Completes empty if there is none. */
  public CompletionStage<Optional<KnownOverride>> deleteOverride(
      Caller caller, KnownNamespace namespace, String identifier) {
    return edit(caller, () -> catalog.deleteOverride(namespace.id(), identifier, caller.keyId()))
        .thenApply(deleted -> deleted.map(caller.workspace()::apply));
  }

  private interface CatalogCall<T> {
    T run() throws SQLException;
  }

  private <T> CompletableFuture<T> edit(Caller caller, CatalogCall<T> call) {
    if (failing.getAsBoolean()) { // each call would wait for its timeout and delay the queue
      return CompletableFuture.failedFuture(
          new SQLException("the last read of the catalog failed"));
    }
    if (!caller.workspace().beginEdit(MAX_PENDING_PER_WORKSPACE)) {
      return tooMany();
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      threads.execute(() -> {
        try {
          T value = call.run();
          caller.workspace().endEdit();
          result.complete(value);
        } catch (Throwable e) { // an incomplete stage would leave its request without an answer
          caller.workspace().endEdit();
          result.completeExceptionally(e);
        }
      });
    } catch (RejectedExecutionException e) {
      caller.workspace().endEdit();
      return tooMany();
    }
    return result;
  }

  private static <T> CompletableFuture<T> tooMany() {
    return CompletableFuture.failedFuture(
        new SQLException("too many edits of the catalog are pending"));
  }

  /** Waits up to 2 seconds for pending edits: their callers expect an answer. */
  void close() {
    threads.shutdown();
    try {
      threads.awaitTermination(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
