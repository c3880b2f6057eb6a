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
 * Keeps a {@link Directory} up to date with the catalog: reads what others have changed, twice a
 * second. When the database is gone, what is known stays and is used.
 */
public final class CatalogFollower implements AutoCloseable {

  /** Edits are to be known everywhere within two seconds: this leaves three tries. */
  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** Is told how reading goes. */
  public interface Listener {

    /** The catalog was read, up to this version. */
    void catalogRead(long version);

    /** The catalog could not be read. */
    void catalogFailed(Throwable failure);

    /** The catalog was empty: there is a workspace now, and this key to it. */
    void firstKeyMade(NewRootKey key);
  }

  /** How the key that the settings give is called in lists of keys. */
  private static final String GIVEN_KEY = "first-root-key";

  private final Catalog catalog;
  private final @Nullable String givenKey;
  private final CatalogEditor editor;
  private final Listener listener;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(threads("tidegate-catalog"));

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
   * @param givenKey the secret of a root key that the catalog must have; null for none: an empty
   *     catalog then gets a random one
   * @param listener is told how it goes
   */
  public CatalogFollower(Catalog catalog, @Nullable String givenKey, Listener listener) {
    this.catalog = catalog;
    this.givenKey = givenKey;
    this.editor = new CatalogEditor(catalog, this::isFailing);
    this.listener = listener;
  }

  /** Begins to read, at once. */
  public void start() {
    thread.scheduleWithFixedDelay(this::read, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** What is known now. */
  public Directory directory() {
    return directory;
  }

  /** Makes edits, which are known here at once. */
  public CatalogEditor editor() {
    return editor;
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
    } catch (Throwable e) { // whatever it is, keys that are revoked have to be heard of later
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
    if (changes.version() < version) { // it has lost edits, and we what they had replaced
      Directory anew = new Directory();
      anew.apply(changes);
      directory = anew;
    } else {
      directory.apply(changes);
    }
    version = changes.version();
  }

  private void createFirstKey() throws SQLException {
    if (givenKey == null) {
      catalog.createFirst(Permissions.all()).ifPresent(listener::firstKeyMade);
    } else {
      catalog
          .ensureKey(givenKey, GIVEN_KEY, Permissions.all())
          .ifPresentOrElse(
              CatalogFollower::warnIfRefused,
              () -> Log.info("created the root key that first-root-key gives"));
    }
  }

  private static void warnIfRefused(RootKey key) {
    if (key.revoked() || !key.enabled()) {
      Log.warn(
          "the root key that first-root-key gives was revoked or disabled, and stays so",
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

  /** Ends reading and editing, and closes the catalog. */
  @Override
  public void close() {
    thread.shutdownNow();
    editor.close();
    catalog.close();
  }
}
