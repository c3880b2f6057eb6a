package io.tidegate.server.catalog;

import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.LimitOverride;
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

/** Makes this node's edits of the catalog, which it knows of at once. */
public final class CatalogEditor {

  /** Edits are rare, and made one at a time by the database anyway. */
  private static final int THREADS = 4;

  /** More than that wait for a database that is slow or gone: the rest is told so at once. */
  private static final int MOST_WAITING = 256;

  /** So that one workspace leaves room for others. */
  private static final int MOST_WAITING_OF_ONE = 64;

  private final Catalog catalog;
  private final BooleanSupplier failing;
  private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
      THREADS,
      THREADS,
      10,
      TimeUnit.SECONDS,
      new ArrayBlockingQueue<>(MOST_WAITING),
      CatalogFollower.threads("tidegate-edit"));

  /** A workspace and a name. */
  private record NewName(String workspaceId, String name) {}

  /** Those being made, so that each is made once however many requests want it. */
  private final Map<NewName, CompletableFuture<KnownNamespace>> newNamespaces =
      new ConcurrentHashMap<>();

  CatalogEditor(Catalog catalog, BooleanSupplier failing) {
    this.catalog = catalog;
    this.failing = failing;
    threads.allowCoreThreadTimeOut(true);
  }

  /** The namespace of this name, made if it is not there. */
  public CompletableFuture<KnownNamespace> createNamespace(Caller caller, String name) {
    NewName wanted = new NewName(caller.workspace().id(), name);
    CompletableFuture<KnownNamespace> mine = new CompletableFuture<>();
    CompletableFuture<KnownNamespace> others = newNamespaces.putIfAbsent(wanted, mine);
    if (others != null) {
      return others;
    }
    edit(
            caller,
            () -> catalog.createNamespace(wanted.workspaceId, name, caller.key().id()))
        .thenApply(caller.workspace()::apply)
        .whenComplete((namespace, failure) -> {
          newNamespaces.remove(wanted);
          if (failure == null) {
            mine.complete(namespace);
          } else {
            mine.completeExceptionally(failure);
          }
        });
    return mine;
  }

  /** Makes an override, changes it, or brings it back. */
  public CompletionStage<LimitOverride> setOverride(
      Caller caller, KnownNamespace namespace, String identifier, long limit, long durationMillis) {
    return edit(
            caller,
            () -> catalog.setOverride(
                namespace.namespace(),
                identifier,
                limit,
                durationMillis,
                caller.key().id()))
        .thenApply(override -> {
          caller.workspace().apply(override);
          return override;
        });
  }

  /** Deletes the override of exactly this pattern; empty if there is none. */
  public CompletionStage<Optional<LimitOverride>> deleteOverride(
      Caller caller, KnownNamespace namespace, String identifier) {
    return edit(
            caller,
            () -> catalog.deleteOverride(
                namespace.namespace(), identifier, caller.key().id()))
        .thenApply(deleted -> {
          deleted.ifPresent(caller.workspace()::apply);
          return deleted;
        });
  }

  private interface Edit<T> {
    T make() throws SQLException;
  }

  private <T> CompletableFuture<T> edit(Caller caller, Edit<T> edit) {
    if (failing.getAsBoolean()) { // each would wait for seconds, and those behind it for minutes
      return CompletableFuture.failedFuture(
          new SQLException("the catalog did not answer when last read"));
    }
    if (!caller.workspace().beginEdit(MOST_WAITING_OF_ONE)) {
      return tooMany();
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    result.whenComplete((made, failure) -> caller.workspace().endEdit());
    try {
      threads.execute(() -> {
        try {
          result.complete(edit.make());
        } catch (Throwable e) { // whoever waits is to know, whatever it is
          result.completeExceptionally(e);
        }
      });
    } catch (RejectedExecutionException e) {
      result.cancel(false);
      return tooMany();
    }
    return result;
  }

  private static <T> CompletableFuture<T> tooMany() {
    return CompletableFuture.failedFuture(new SQLException("too many edits wait for the catalog"));
  }

  /** Ends when what is being written was written, for it was promised to somebody. */
  void close() {
    threads.shutdown();
    try {
      threads.awaitTermination(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
