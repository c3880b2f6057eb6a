package io.tidegate.server;

import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.config.CatalogConfig;
import io.tidegate.server.log.Log;
import io.tidegate.server.log.RootCause;
import io.tidegate.server.observe.Health;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Listener of catalog reads: lets the start of a node wait for the first read, logs when reads
 * start to fail and when they succeed again, and reports them to {@link Health}.
 *
 * <p>The thread that reads the catalog calls the listener methods, the thread that starts the node
 * calls the others.
 */
final class CatalogReads implements CatalogFollower.Listener {

  /**
   * Time that a start waits for a database. After that the node listens without a catalog, so that
   * its liveness can be probed.
   */
  private static final Duration DATABASE_TIMEOUT = Duration.ofSeconds(5);

  /**
   * Time that a start waits for a file. A file that cannot be opened fails much earlier, with the
   * reason; this is for busy machines, where creating the tables may take long.
   */
  private static final Duration FILE_TIMEOUT = Duration.ofSeconds(60);

  private final CatalogConfig config;
  private final Health health;
  private final Consumer<NewRootKey> firstKey;

  /** The version of the first read, or the failure to open a file. */
  private final CompletableFuture<Long> first = new CompletableFuture<>();

  /** Whether the start has stopped waiting, and logged that. Cleared by the first read. */
  private volatile boolean late;

  /** Whether reads have failed since the last success. Used by the reading thread only. */
  private boolean failing;

  /** Whether the public port is open. Written by the start, read by the reading thread. */
  private volatile boolean listening;

  CatalogReads(CatalogConfig config, Health health, Consumer<NewRootKey> firstKey) {
    this.config = config;
    this.health = health;
    this.firstKey = firstKey;
  }

  /**
   * Waits for the first read; if the catalog is in a database, for a bounded time only.
   *
   * @param stop ends the wait
   * @throws ServerException if the catalog is a file that cannot be opened
   */
  void awaitFirst(CompletableFuture<Void> stop) {
    boolean database = config.jdbcUrl() != null;
    Duration timeout = database ? DATABASE_TIMEOUT : FILE_TIMEOUT;
    try {
      CompletableFuture.anyOf(first, stop).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      if (!database) {
        throw new ServerException(
            "cannot open the catalog in " + config + ": "
                + (e instanceof TimeoutException
                    ? "timeout after " + timeout.toSeconds() + " s"
                    : RootCause.message(e)),
            e);
      }
      late = true;
      Log.warn(
          "catalog not read within " + timeout.toSeconds()
              + " s; listening now, answering 503 until it is read",
          "catalog",
          config);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted", e);
    }
  }

  /** The public port is open: from now on the node is ready when it has read its catalog. */
  void listening() {
    listening = true;
    if (hasRead()) {
      health.catalogRead(first.join());
    }
  }

  private boolean hasRead() {
    return first.isDone() && !first.isCompletedExceptionally();
  }

  @Override
  public void catalogRead(long version) {
    if (failing || late) {
      failing = false;
      late = false;
      Log.info("catalog read", "catalog", config);
    }
    first.complete(version);
    if (listening) {
      health.catalogRead(version);
    }
  }

  @Override
  public void catalogFailed(Throwable failure) {
    health.catalogFailed(failure);
    if (config.jdbcUrl() == null && !hasRead()) {
      first.completeExceptionally(failure); // fails the start, with the reason
    } else if (!failing) {
      failing = true;
      Log.warn(
          hasRead()
              ? "cannot read the catalog; serving the last known copy, will keep retrying"
              : "cannot read the catalog; will keep retrying",
          "catalog",
          config,
          "reason",
          RootCause.message(failure));
    }
  }

  @Override
  public void firstKeyCreated(NewRootKey key) {
    firstKey.accept(key);
  }
}
