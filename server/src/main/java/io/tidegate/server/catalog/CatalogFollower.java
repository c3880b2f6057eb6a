package io.tidegate.server.catalog;

import io.tidegate.jdbc.Catalog;
import io.tidegate.jdbc.CatalogChanges;
import io.tidegate.jdbc.LimitOverride;
import io.tidegate.jdbc.NewRootKey;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a {@link Directory} up to date with the catalog: reads what others have changed, twice a
 * second, and makes this node's edits, which it knows of at once.
 *
 * <p>When the database is gone, what is known stays and is used; edits fail, at once when a read
 * has failed before.
 */
public final class CatalogFollower implements AutoCloseable {

  /** Edits are to be known everywhere within two seconds: this leaves three tries. */
  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** Edits are rare, and made one at a time by the database anyway. */
  private static final int EDITING_THREADS = 4;

  /** More than that wait for a database that is slow or gone: the rest is told so at once. */
  private static final int MOST_WAITING_EDITS = 256;

  /** Is told how reading goes. */
  public interface Listener {

    /** The catalog was read, up to this version. */
    void catalogRead(long version);

    /** The catalog could not be read. */
    void catalogFailed(Exception failure);

    /** The catalog was empty: there is a workspace now, and this key to it. */
    void firstKeyMade(NewRootKey key);
  }

  private final Catalog catalog;
  private final Listener listener;
  private final ScheduledExecutorService reading =
      Executors.newSingleThreadScheduledExecutor(threads("tidegate-catalog"));
  private final ThreadPoolExecutor editing = new ThreadPoolExecutor(
      EDITING_THREADS,
      EDITING_THREADS,
      10,
      TimeUnit.SECONDS,
      new ArrayBlockingQueue<>(MOST_WAITING_EDITS),
      threads("tidegate-edit"));

  /** A workspace and a name. */
  private record NewName(String workspaceId, String name) {}

  /** Those being made, so that each is made once however many requests want it. */
  private final Map<NewName, CompletableFuture<KnownNamespace>> newNamespaces =
      new ConcurrentHashMap<>();

  /** Replaced when the database has gone back in time. */
  private volatile Directory directory = new Directory();

  private volatile boolean known;
  private volatile boolean failing;

  /** Of the reading thread. */
  private long version;

  /**
   * A follower that has not read anything yet.
   *
   * @param catalog what to follow; closed by this
   * @param listener is told how it goes
   */
  public CatalogFollower(Catalog catalog, Listener listener) {
    this.catalog = catalog;
    this.listener = listener;
    editing.allowCoreThreadTimeOut(true);
  }

  /** Begins to read, at once. */
  public void start() {
    reading.scheduleWithFixedDelay(this::read, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** What is known now. */
  public Directory directory() {
    return directory;
  }

  /** Whether the catalog has been read at all. */
  public boolean isKnown() {
    return known;
  }

  /** Whether the last attempt to read failed. */
  public boolean isFailing() {
    return failing;
  }

  private void read() {
    try {
      readChanges();
      known = true;
      failing = false;
      listener.catalogRead(version);
    } catch (SQLException | RuntimeException e) {
      failing = true;
      listener.catalogFailed(e);
    }
  }

  private void readChanges() throws SQLException {
    if (!known) {
      catalog.createFirst(Permissions.all()).ifPresent(listener::firstKeyMade);
    }
    CatalogChanges changes = catalog.changesSince(version);
    if (changes.version() < version) { // it has lost edits, and we what they had replaced
      Directory anew = new Directory();
      anew.apply(changes);
      directory = anew;
    } else {
      directory.apply(changes);
    }
    version = changes.version();
  }

  /** The namespace of this name, made if it is not there. */
  public CompletionStage<KnownNamespace> createNamespace(Caller caller, String name) {
    NewName wanted = new NewName(caller.workspace().id(), name);
    CompletableFuture<KnownNamespace> mine = new CompletableFuture<>();
    CompletableFuture<KnownNamespace> others = newNamespaces.putIfAbsent(wanted, mine);
    if (others != null) {
      return others;
    }
    edit(() -> catalog.createNamespace(wanted.workspaceId, name, caller.key().id()))
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
    return edit(() -> catalog.setOverride(
            namespace.namespace(),
            identifier,
            limit,
            durationMillis,
            caller.key().id()))
        .thenApply(override -> {
          namespace.overrides().apply(override);
          return override;
        });
  }

  /** Deletes the override of exactly this pattern; empty if there is none. */
  public CompletionStage<Optional<LimitOverride>> deleteOverride(
      Caller caller, KnownNamespace namespace, String identifier) {
    return edit(() -> catalog.deleteOverride(
            namespace.namespace(), identifier, caller.key().id()))
        .thenApply(deleted -> {
          deleted.ifPresent(namespace.overrides()::apply);
          return deleted;
        });
  }

  private interface Edit<T> {
    T make() throws SQLException;
  }

  private <T> CompletableFuture<T> edit(Edit<T> edit) {
    CompletableFuture<T> result = new CompletableFuture<>();
    if (failing) { // each would wait for seconds, and those behind it for minutes
      result.completeExceptionally(new SQLException("the catalog did not answer when last read"));
      return result;
    }
    try {
      editing.execute(() -> {
        try {
          result.complete(edit.make());
        } catch (SQLException | RuntimeException e) {
          result.completeExceptionally(e);
        }
      });
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new SQLException("too many edits wait for the catalog", e));
    }
    return result;
  }

  private static ThreadFactory threads(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Ends reading and editing, and closes the catalog. */
  @Override
  public void close() {
    reading.shutdownNow();
    editing.shutdown();
    try {
      // What is being written was promised to somebody.
      editing.awaitTermination(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    catalog.close();
  }
}
