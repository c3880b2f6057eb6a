package io.tidegate.catalog;

import io.tidegate.model.Bounds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The workspaces, root keys, namespaces and overrides of the server, in MySQL, MariaDB or a file.
 *
 * <pre>{@code
 * Catalog catalog = Catalog.open(Catalog.urlOfFile(Path.of("data")), null, null, true);
 * NewRootKey key = catalog.createKey(workspace.id(), "ci", Set.of("ratelimit.*.limit"));
 * }</pre>
 *
 * <p>Any thread may call. Calls block. Edits of all nodes run one after the other, and each has the
 * next version, so a reader of all changes up to a version has missed no earlier change.
 *
 * <p>A call that throws an {@link SQLException} has changed nothing, with one exception: if the
 * connection is lost while the database commits, the edit was applied completely or not at all, and
 * the caller cannot know which.
 *
 * <p>Names and identifiers have at most 512 characters and are compared character by character.
 */
public final class Catalog implements AutoCloseable {

  /** A shorter secret could be guessed. */
  private static final int MIN_SECRET_LENGTH = 20;

  /** Size of the column in MySQL. */
  private static final int MAX_PERMISSION_BYTES = 65_535;

  private final CatalogDatabase database;

  private Catalog(CatalogDatabase database) {
    this.database = database;
  }

  /**
   * Opens a catalog. Succeeds also if the database is down; calls fail until it is up.
   *
   * @param jdbcUrl {@code jdbc:mariadb://host:3306/database}, for MySQL too, or the result of
   *     {@link #urlOfFile}
   * @param user database user, if the URL does not contain it
   * @param password password of the user
   * @param migrate whether to create and upgrade the tables; otherwise they must exist
   * @throws IllegalArgumentException if no driver accepts the URL, or if the directory of a file
   *     cannot be used
   */
  public static Catalog open(
      String jdbcUrl, @Nullable String user, @Nullable String password, boolean migrate) {
    return open(jdbcUrl, user, password, migrate, new RandomText());
  }

  static Catalog open(
      String jdbcUrl,
      @Nullable String user,
      @Nullable String password,
      boolean migrate,
      RandomText random) {
    Objects.requireNonNull(jdbcUrl, "jdbcUrl must not be null");
    Storage storage = jdbcUrl.startsWith(FileStorage.URL_PREFIX)
        ? new FileStorage(jdbcUrl)
        : new MySqlStorage(jdbcUrl, user, password);
    return new Catalog(new CatalogDatabase(storage, migrate, random));
  }

  /**
   * The URL of a catalog in a file. Several processes of one machine may use it at once. The
   * directory must be on a local disk; it is created if necessary, accessible to this user only.
   *
   * @param directory directory of the file
   */
  public static String urlOfFile(Path directory) {
    return FileStorage.url(directory);
  }

  /** Whether a directory contains a catalog. */
  public static boolean isIn(Path directory) {
    return FileStorage.isIn(directory);
  }

  /**
   * The changes after a version; all rows if the version is 0. A row comes with the rows it belongs
   * to, unless these are older. Changes made during the call may be included, and are included
   * again in the next call.
   *
   * <p>If the version of the catalog is lower than the given one, as after a backup was restored,
   * all rows.
   *
   * @param version version up to which the caller has read
   * @throws SQLException if the database is unavailable
   */
  public CatalogChanges changesSince(long version) throws SQLException {
    if (version() == version) { // the usual case takes one query
      return new CatalogChanges(version, List.of(), List.of(), List.of(), List.of());
    }
    return database.read(connection -> {
      long newest = CatalogEdit.version(connection);
      long since = newest < version ? 0 : version;
      // A row is created after the row it belongs to. Reading in reverse order never misses that.
      List<LimitOverride> overrides = LimitOverrides.TABLE.since(connection, since);
      List<Namespace> namespaces = Namespaces.TABLE.since(connection, since);
      List<RootKey> keys = RootKeys.TABLE.since(connection, since);
      return new CatalogChanges(
          newest, Workspaces.TABLE.since(connection, since), keys, namespaces, overrides);
    });
  }

  /**
   * The version of the last edit; 0 if there was none.
   *
   * @throws SQLException if the database is unavailable
   */
  public long version() throws SQLException {
    return database.read(CatalogEdit::version);
  }

  /**
   * Creates a workspace with a key if the catalog has no workspace.
   *
   * @param permissions permissions of the key
   * @return the key, if it was created
   * @throws SQLException if the database is unavailable
   */
  public Optional<NewRootKey> createFirst(Set<String> permissions) throws SQLException {
    String lines = lines(permissions);
    if (version() > 0) { // without an edit: the database may be read-only
      return Optional.empty();
    }
    return database.edit(edit -> {
      if (Workspaces.oldest(edit).isPresent()) {
        return Optional.empty();
      }
      Workspace workspace = Workspaces.create(edit, "default", null);
      String secret = edit.random().secret();
      return Optional.of(RootKeys.create(edit, workspace.id(), "default", secret, lines));
    });
  }

  /**
   * Creates a key with a given secret unless a key has this secret: in the oldest workspace, or in
   * a new one if there is none. Several processes may call this at once; one of them creates the
   * key. A disabled or revoked key is not changed.
   *
   * @param secret secret of the key, at least 20 characters
   * @param name name of the key
   * @param permissions permissions of the key, if it is created
   * @return the existing key; empty if the key was created
   * @throws SQLException if the database is unavailable
   */
  public Optional<RootKey> ensureKey(String secret, String name, Set<String> permissions)
      throws SQLException {
    if (secret.length() < MIN_SECRET_LENGTH) {
      throw new IllegalArgumentException(
          "secret must have at least " + MIN_SECRET_LENGTH + " characters: " + secret.length());
    }
    checkText("name", name);
    String lines = lines(permissions);
    Optional<RootKey> known = database.read(connection -> RootKeys.find(connection, secret));
    if (known.isPresent()) {
      return known; // without an edit: the database may be read-only
    }
    return database.edit(edit -> {
      Optional<RootKey> found = RootKeys.find(edit, secret);
      if (found.isEmpty()) {
        Optional<Workspace> oldest = Workspaces.oldest(edit);
        String workspaceId =
            (oldest.isPresent() ? oldest.get() : Workspaces.create(edit, "default", null)).id();
        RootKeys.create(edit, workspaceId, name, secret, lines);
      }
      return found;
    });
  }

  /**
   * Creates a workspace. Several workspaces may have the same name.
   *
   * @param name name for people
   * @param requestsPerMinute maximum number of requests of all its keys; null if unlimited
   * @throws SQLException if the database is unavailable
   */
  public Workspace createWorkspace(String name, @Nullable Long requestsPerMinute)
      throws SQLException {
    checkText("name", name);
    checkRequests(requestsPerMinute);
    return database.edit(edit -> Workspaces.create(edit, name, requestsPerMinute));
  }

  /**
   * Enables a workspace.
   *
   * @return the enabled workspace; empty if none has this id
   * @throws SQLException if the database is unavailable
   */
  public Optional<Workspace> enableWorkspace(String id) throws SQLException {
    return database.edit(edit -> Workspaces.update(edit, id, "enabled = ?", true));
  }

  /**
   * Disables a workspace. Its requests are rejected.
   *
   * @return the disabled workspace; empty if none has this id
   * @throws SQLException if the database is unavailable
   */
  public Optional<Workspace> disableWorkspace(String id) throws SQLException {
    return database.edit(edit -> Workspaces.update(edit, id, "enabled = ?", false));
  }

  /**
   * Sets the throttle of a workspace.
   *
   * @param requestsPerMinute maximum number of requests of all its keys; null if unlimited
   * @return the changed workspace; empty if none has this id
   * @throws SQLException if the database is unavailable
   */
  public Optional<Workspace> setRequestsPerMinute(String id, @Nullable Long requestsPerMinute)
      throws SQLException {
    checkRequests(requestsPerMinute);
    return database.edit(
        edit -> Workspaces.update(edit, id, "requests_per_minute = ?", requestsPerMinute));
  }

  /**
   * Creates a key with a random secret.
   *
   * @param name name for people; several keys may have the same
   * @param permissions permissions of the key, each without a line break
   * @return the key with its secret, which is not stored
   * @throws IllegalArgumentException if the workspace does not exist
   * @throws SQLException if the database is unavailable
   */
  public NewRootKey createKey(String workspaceId, String name, Set<String> permissions)
      throws SQLException {
    checkText("name", name);
    String lines = lines(permissions);
    return database.edit(edit -> {
      Workspaces.checkExists(edit, workspaceId);
      return RootKeys.create(edit, workspaceId, name, edit.random().secret(), lines);
    });
  }

  /**
   * Enables a key.
   *
   * @return the enabled key; empty if none has this id, or if it is revoked
   * @throws SQLException if the database is unavailable
   */
  public Optional<RootKey> enableKey(String id) throws SQLException {
    return database.edit(edit -> RootKeys.enable(edit, id));
  }

  /**
   * Disables a key. Its requests are rejected.
   *
   * @return the disabled key; empty if none has this id, or if it is revoked
   * @throws SQLException if the database is unavailable
   */
  public Optional<RootKey> disableKey(String id) throws SQLException {
    return database.edit(edit -> RootKeys.disable(edit, id));
  }

  /**
   * Revokes a key permanently.
   *
   * @return the revoked key; empty if none has this id, or if it was revoked before
   * @throws SQLException if the database is unavailable
   */
  public Optional<RootKey> revokeKey(String id) throws SQLException {
    return database.edit(edit -> RootKeys.revoke(edit, id));
  }

  /**
   * Creates a namespace unless the workspace has or had one with this name.
   *
   * @param name name that clients use
   * @param actor id of the caller, for the audit log
   * @return the new or the existing namespace, which may be deleted
   * @throws IllegalArgumentException if the workspace does not exist
   * @throws SQLException if the database is unavailable
   */
  public Namespace createNamespace(String workspaceId, String name, String actor)
      throws SQLException {
    checkText("name", name);
    if (Namespace.isId(name)) {
      throw new IllegalArgumentException("name must not have the form of an id: " + name);
    }
    checkText("actor", actor);
    return database.edit(edit -> Namespaces.create(edit, workspaceId, name, actor));
  }

  /**
   * Deletes a namespace.
   *
   * @param actor id of the caller, for the audit log
   * @return the deleted namespace; empty if none has this id
   * @throws SQLException if the database is unavailable
   */
  public Optional<Namespace> deleteNamespace(String id, String actor) throws SQLException {
    checkText("actor", actor);
    return database.edit(edit -> Namespaces.delete(edit, id, actor));
  }

  /**
   * Restores a deleted namespace with its overrides.
   *
   * @param actor id of the caller, for the audit log
   * @return the restored namespace; empty if none has this id
   * @throws SQLException if the database is unavailable
   */
  public Optional<Namespace> restoreNamespace(String id, String actor) throws SQLException {
    checkText("actor", actor);
    return database.edit(edit -> Namespaces.restore(edit, id, actor));
  }

  /**
   * Creates, changes or restores an override.
   *
   * @param identifier pattern of identifiers; {@code *} matches any run of characters
   * @param limit tokens per window; 0 denies every request
   * @param durationMillis length of the window
   * @param actor id of the caller, for the audit log
   * @return the override; a pattern keeps its id when it is deleted and restored
   * @throws IllegalArgumentException if the namespace does not exist
   * @throws SQLException if the database is unavailable
   */
  public LimitOverride setOverride(
      String namespaceId, String identifier, long limit, long durationMillis, String actor)
      throws SQLException {
    checkText("identifier", identifier);
    Bounds.checkTokens("limit", limit);
    Bounds.checkWindow(durationMillis);
    checkText("actor", actor);
    return database.edit(
        edit -> LimitOverrides.set(edit, namespaceId, identifier, limit, durationMillis, actor));
  }

  /**
   * Deletes an override.
   *
   * @param identifier exactly its pattern
   * @param actor id of the caller, for the audit log
   * @return the deleted override; empty if the namespace has none with this pattern
   * @throws SQLException if the database is unavailable
   */
  public Optional<LimitOverride> deleteOverride(String namespaceId, String identifier, String actor)
      throws SQLException {
    checkText("identifier", identifier);
    checkText("actor", actor);
    return database.edit(edit -> LimitOverrides.delete(edit, namespaceId, identifier, actor));
  }

  /**
   * The newest entries of the audit log, newest first.
   *
   * @param sinceMillis the earliest time of an entry, in milliseconds since 1970
   * @param maxEntries maximum number of entries
   * @throws SQLException if the database is unavailable
   */
  public List<AuditEntry> audit(long sinceMillis, int maxEntries) throws SQLException {
    return database.read(connection -> AuditLog.newest(connection, sinceMillis, maxEntries));
  }

  /**
   * The newest entries of the audit log that belong to a workspace, newest first.
   *
   * @param sinceMillis the earliest time of an entry, in milliseconds since 1970
   * @param maxEntries maximum number of entries
   * @throws SQLException if the database is unavailable
   */
  public List<AuditEntry> auditOfWorkspace(String workspaceId, long sinceMillis, int maxEntries)
      throws SQLException {
    return database.read(
        connection -> AuditLog.newestOfWorkspace(connection, workspaceId, sinceMillis, maxEntries));
  }

  /** What the nodes of all regions report about themselves. */
  public NodeReports nodeReports() {
    return new NodeReports(database);
  }

  private static void checkRequests(@Nullable Long requestsPerMinute) {
    if (requestsPerMinute != null) {
      Bounds.checkTokens("requestsPerMinute", requestsPerMinute);
    }
  }

  private static void checkText(String name, String value) {
    Bounds.checkName(name, value);
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
      throw new IllegalArgumentException(name + " must not contain half a surrogate pair");
    }
  }

  /** Permissions as they are stored: one per line. */
  private static String lines(Set<String> permissions) {
    for (String permission : permissions) {
      checkText("permission", permission);
      if (permission.contains("\n")) {
        throw new IllegalArgumentException(
            "permission must not contain a line break: " + permission);
      }
    }
    String lines = String.join("\n", new TreeSet<>(permissions));
    if (lines.getBytes(StandardCharsets.UTF_8).length > MAX_PERMISSION_BYTES) {
      throw new IllegalArgumentException("permissions must have at most " + MAX_PERMISSION_BYTES
          + " bytes in total, which these " + permissions.size() + " exceed");
    }
    return lines;
  }

  /** Closes the connections. Waits up to 5 seconds for a database that does not answer. */
  @Override
  public void close() {
    database.close();
  }
}
