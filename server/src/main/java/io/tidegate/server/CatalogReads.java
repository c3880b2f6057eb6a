package io.tidegate.server;

import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.config.CatalogConfig;
import io.tidegate.server.log.Log;
import io.tidegate.server.observe.Health;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Progress of reading the catalog: lets the start of a node wait for the first read, logs when
 * reads begin to fail and when they work again, and reports them to {@link Health}.
 */
final class CatalogReads implements CatalogFollower.Listener {

  /**
   * How long a start waits for a database. A database that takes longer is treated as absent: the
   * node listens without a catalog, so that its liveness can be probed.
   */
  private static final Duration DATABASE_PATIENCE = Duration.ofSeconds(5);

  /**
   * How long a start waits for a file. One that cannot be opened fails much earlier, with the
   * reason; this is for machines so busy that creating the tables takes long.
   */
  private static final Duration FILE_PATIENCE = Duration.ofSeconds(60);

  private final CatalogConfig config;
  private final Health health;
  private final Consumer<NewRootKey> firstKey;

  /** The version of the first read. A file that cannot be opened completes it with the failure. */
  private final CompletableFuture<Long> first = new CompletableFuture<>();

  /** Set by the start, when it has logged that it waits no longer; cleared by the first read. */
  private volatile boolean late;

  /** Whether a failure was logged that is not over. Of the reading thread. */
  private boolean failing;

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
    Duration patience = database ? DATABASE_PATIENCE : FILE_PATIENCE;
    try {
      CompletableFuture.anyOf(first, stop).get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      if (!database) {
        throw new ServerException(
            "the catalog in " + config + " cannot be opened: "
                + (e instanceof TimeoutException
                    ? "no answer within " + patience.toSeconds() + " s"
                    : Server.reason(e)),
            e);
      }
      late = true;
      Log.warn(
          "the catalog has not been read after " + patience.toSeconds()
              + " s; listening now, answering 503 until it is read",
          "catalog",
          config);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted", e);
    }
  }

  /** The public port is open: from now on, a node that has read its catalog is ready. */
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
      Log.info("the catalog has been read", "catalog", config);
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
              ? "the catalog cannot be read; serving the last known copy, will keep trying"
              : "the catalog cannot be read; will keep trying",
          "catalog",
          config,
          "reason",
          Server.reason(failure));
    }
  }

  @Override
  public void firstKeyMade(NewRootKey key) {
    firstKey.accept(key);
  }
}
