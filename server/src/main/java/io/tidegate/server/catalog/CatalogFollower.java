package io.tidegate.server.catalog;

import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.CatalogChanges;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.catalog.RootKey;
import io.tidegate.server.log.Log;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a {@link Directory} up to date by reading the changes of the catalog twice a second. While
 * the database is unavailable, the node serves the last known copy.
 *
 * <p>One thread reads and calls the listener. Any thread may call the other methods.
 */
public final class CatalogFollower implements AutoCloseable {

  /** Edits must take effect on every node within two seconds; this leaves time for retries. */
  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** Receives the outcome of each read. */
  public interface Listener {

    /** The catalog was read up to this version. */
    void catalogRead(long version);

    /** The catalog could not be read. */
    void catalogFailed(Throwable failure);

    /** The catalog was empty, and a workspace with this key was created. */
    void firstKeyCreated(NewRootKey key);
  }

  /** Name of the key that the setting {@code first-root-key} creates. */
  private static final String GIVEN_KEY = "first-root-key";

  private final Catalog catalog;
  private final @Nullable String givenKey;
  private final CatalogEditor editor;
  private final Listener listener;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(threads("tidegate-catalog"));

  /** Replaced when the catalog has a lower version than before, as after a restored backup. */
  private volatile Directory directory = new Directory();

  private volatile boolean known;
  private volatile boolean failing;

  /** Version of the directory. Used by the reading thread only. */
  private long version;

  /**
   * Creates a follower that has not read anything yet.
   *
   * @param catalog the catalog to follow; closed by this follower
   * @param givenKey secret of a root key that the catalog must contain; if null, an empty catalog
   *     gets a random key
   * @param listener receives the outcome of each read
   */
  public CatalogFollower(Catalog catalog, @Nullable String givenKey, Listener listener) {
    this.catalog = catalog;
    this.givenKey = givenKey;
    this.editor = new CatalogEditor(catalog, this::isFailing);
    this.listener = listener;
  }

  /** Starts to read, the first time at once. */
  @SuppressWarnings("FutureReturnValueIgnored") // read() catches everything
  public void start() {
    thread.scheduleWithFixedDelay(this::read, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The current copy of the catalog. Do not keep it: it may be replaced. */
  public Directory directory() {
    return directory;
  }

  public CatalogEditor editor() {
    return editor;
  }

  /** Whether the catalog was read at least once. */
  public boolean isKnown() {
    return known;
  }

  /** Whether the last read failed. */
  public boolean isFailing() {
    return failing;
  }

  private void read() {
    try {
      readChanges();
      known = true;
      failing = false;
      listener.catalogRead(version);
    } catch (Throwable e) { // an exception that escaped would end all later reads
      if (thread.isShutdown()) {
        return; // interrupted by close
      }
      failing = true;
      listener.catalogFailed(e);
    }
  }

  private void readChanges() throws SQLException {
    if (!known) {
      createFirstKey();
    }
    CatalogChanges changes = catalog.changesSince(version);
    if (changes.version() < version) { // edits were lost, so the copy has rows that do not exist
      Directory replacement = new Directory();
      replacement.apply(changes);
      directory = replacement;
    } else {
      directory.apply(changes);
    }
    version = changes.version();
  }

  private void createFirstKey() throws SQLException {
    if (givenKey == null) {
      catalog.createFirst(Permissions.all()).ifPresent(listener::firstKeyCreated);
    } else {
      catalog
          .ensureKey(givenKey, GIVEN_KEY, Permissions.all())
          .ifPresentOrElse(
              CatalogFollower::warnIfRejected,
              () -> Log.info("created the root key of the setting first-root-key"));
    }
  }

  private static void warnIfRejected(RootKey key) {
    if (key.revoked() || !key.enabled()) {
      Log.warn(
          "the root key of the setting first-root-key is revoked or disabled; its requests are rejected",
          "id",
          key.id());
    }
  }

  static ThreadFactory threads(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Stops reading and editing, and closes the catalog. */
  @Override
  public void close() {
    thread.shutdownNow();
    editor.close();
    catalog.close();
  }
}
