package io.tidegate.catalog;

import static io.tidegate.catalog.CatalogTable.KEYS;
import static io.tidegate.catalog.CatalogTable.NAMESPACES;
import static io.tidegate.catalog.CatalogTable.OVERRIDES;
import static io.tidegate.catalog.CatalogTable.WORKSPACES;

import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.model.Bounds;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask for what: workspaces, root keys, namespaces and overrides, in MySQL, MariaDB or an H2
 * file.
 *
 * <pre>{@code
 * Catalog catalog = Catalog.open(Catalog.urlOfFile(Path.of("data")), null, null, true);
 * NewRootKey key = catalog.createKey(workspace.id(), "ci", Set.of("ratelimit.*.limit"));
 * }</pre>
 *
 * <p>All calls block. Edits are made one at a time, all over the world, and each has the next
 * version: who has read up to a version has missed nothing before it. A call that fails with an
 * {@link SQLException} has changed nothing, unless the connection was lost while the database was
 * told to commit: then it has changed all or nothing.
 *
 * <p>Names and identifiers have at most 512 characters and are compared character by character.
 */
public final class Catalog implements AutoCloseable {

  /**
   * Edits of others are over within milliseconds; a database that answers later is as good as gone.
   */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(9);

  /**
   * A file has to be written when it is closed; a database that is gone is waited for no longer.
   */
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(5);

  /** Who makes workspaces and keys: whoever has the credentials of the database. */
  private static final String OPERATOR = "operator";

  /** As many as tell a key from others, and tell nothing about the rest. */
  private static final int START_LENGTH = 7;

  /** Shorter secrets can be guessed. */
  private static final int LEAST_SECRET_LENGTH = 20;

  /** As many bytes as the column has. */
  private static final int MOST_PERMISSION_BYTES = 65_535;

  private final HikariDataSource database;
  private final Schema schema;
  private final RandomText random;

  /** Of a catalog in a file; null for one in MySQL or MariaDB. */
  private final @Nullable FullDisk disk;

  private Catalog(
      HikariDataSource database, @Nullable FullDisk disk, boolean migrate, RandomText random) {
    this.database = database;
    this.disk = disk;
    this.schema = new Schema(database, migrate);
    this.random = random;
  }

  /**
   * Opens a catalog. Returns also if the database is not there; it is used when it appears.
   *
   * @param jdbcUrl where it is: {@code jdbc:mariadb://host:3306/database}, for MySQL too, or
   *     {@code jdbc:h2:file:path}
   * @param user who connects, if the URL does not say
   * @param password of the user
   * @param migrate whether to make the tables, and to bring them up to date; else they have to be
   *     there
   * @return the catalog
   * @throws IllegalArgumentException if no driver takes the URL
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
    return H2File.isMeant(jdbcUrl)
        ? new Catalog(H2File.open(jdbcUrl, user, password), H2File.disk(jdbcUrl), migrate, random)
        : new Catalog(
            Database.open(jdbcUrl, user, password, ANSWER_TIMEOUT), null, migrate, random);
  }

  /**
   * The URL of a catalog in a file: {@code Catalog.urlOfFile(Path.of("data"))}. Several processes
   * of the machine may use it at once, and whoever can read the directory can edit the catalog: it
   * is made for this user alone if it is not there.
   *
   * @param directory where the file is
   * @return the URL
   */
  public static String urlOfFile(Path directory) {
    return H2File.url(directory);
  }

  /**
   * Whether there is a catalog in a directory: {@code Catalog.isIn(Path.of("data"))}.
   *
   * @param directory where it would be
   * @return whether somebody has made one there
   */
  public static boolean isIn(Path directory) {
    return H2File.isIn(directory);
  }

  /**
   * Everything that has a greater version; of 0, everything. Nothing is in it that belongs to what
   * is neither in it nor older. What changes meanwhile may be in it, and comes again then.
   *
   * <p>If the catalog has an older version than the one asked for, as after a backup was brought
   * back, everything that there is.
   *
   * @param version up to which the caller knows all
   * @return what is new
   * @throws SQLException if the database fails
   */
  public CatalogChanges changesSince(long version) throws SQLException {
    if (version() == version) { // as it nearly always is: one question then
      return new CatalogChanges(version, List.of(), List.of(), List.of(), List.of());
    }
    return inConnection(connection -> {
      long newest = Edit.version(connection);
      long since = newest < version ? 0 : version;
      // What belongs to something was made after it: read before it, it is never without it.
      List<LimitOverride> overrides = OVERRIDES.since(connection, since);
      List<Namespace> namespaces = NAMESPACES.since(connection, since);
      List<RootKey> keys = KEYS.since(connection, since);
      return new CatalogChanges(
          newest, WORKSPACES.since(connection, since), keys, namespaces, overrides);
    });
  }

  /**
   * The newest version.
   *
   * @return 0 if nothing was ever edited
   * @throws SQLException if the database fails
   */
  public long version() throws SQLException {
    return inConnection(Edit::version);
  }

  /**
   * If there is no workspace yet, one with a key; else nothing.
   *
   * @param permissions of the key
   * @return the key, if it was made
   * @throws SQLException if the database fails
   */
  public Optional<NewRootKey> createFirst(Set<String> permissions) throws SQLException {
    String lines = lines(permissions);
    if (version() > 0) { // it may be that it can only be read
      return Optional.empty();
    }
    return edit(edit -> {
      if (edit.find(WORKSPACES, "version > 0 LIMIT 1").isPresent()) {
        return Optional.empty();
      }
      Workspace workspace = insertWorkspace(edit, "default", null);
      return Optional.of(insertKey(edit, workspace.id(), "default", random.secret(), lines));
    });
  }

  /**
   * Creates a key with a secret that the caller has chosen, unless there is one with this secret:
   * in the oldest workspace, or in a new one if there is none. Several processes may call this at
   * once; one of them creates the key. A key that was disabled or revoked stays so.
   *
   * @param secret what clients will send, at least 20 characters
   * @param name what people call the key
   * @param permissions of the key, if it is created
   * @return the key that was there; empty if it was created
   * @throws SQLException if the database fails
   */
  public Optional<RootKey> ensureKey(String secret, String name, Set<String> permissions)
      throws SQLException {
    if (secret.length() < LEAST_SECRET_LENGTH) {
      throw new IllegalArgumentException(
          "secret must have at least " + LEAST_SECRET_LENGTH + " characters: " + secret.length());
    }
    checkText("name", name);
    String lines = lines(permissions);
    String hash = HexFormat.of().formatHex(Sha256.of(secret));
    Optional<RootKey> known =
        inConnection(connection -> KEYS.find(connection, "key_hash = ?", hash));
    if (known.isPresent()) {
      return known; // without an edit: the database may be read-only
    }
    return edit(edit -> {
      Optional<RootKey> found = edit.find(KEYS, "key_hash = ?", hash);
      if (found.isPresent()) {
        return found;
      }
      Optional<Workspace> oldest =
          edit.find(WORKSPACES, "version > 0 ORDER BY created_at_m, id LIMIT 1");
      String workspaceId = oldest.isPresent()
          ? oldest.get().id()
          : insertWorkspace(edit, "default", null).id();
      insertKey(edit, workspaceId, name, secret, lines);
      return Optional.empty();
    });
  }

  /**
   * Makes a workspace. There may be others of this name.
   *
   * @param name what people call it
   * @param requestsPerMinute how many requests of all its keys are answered; null for any number
   * @return the workspace
   * @throws SQLException if the database fails
   */
  public Workspace createWorkspace(String name, @Nullable Long requestsPerMinute)
      throws SQLException {
    checkText("name", name);
    checkRequests(requestsPerMinute);
    return edit(edit -> insertWorkspace(edit, name, requestsPerMinute));
  }

  private static Workspace insertWorkspace(Edit edit, String name, @Nullable Long requestsPerMinute)
      throws SQLException {
    Workspace workspace = edit.insert(
        WORKSPACES,
        "name, enabled, requests_per_minute, created_at_m",
        name,
        true,
        requestsPerMinute,
        edit.nowMillis());
    edit.record(workspace.id(), "workspace.create", OPERATOR, workspace.id());
    return workspace;
  }

  /**
   * Lets a workspace in, or not: {@code catalog.setWorkspaceEnabled(id, false)}.
   *
   * @param id of the workspace
   * @param enabled whether its keys are let in
   * @return as it is now; empty if there is none of this id
   * @throws SQLException if the database fails
   */
  public Optional<Workspace> setWorkspaceEnabled(String id, boolean enabled) throws SQLException {
    return updateWorkspace(id, "enabled = ?", enabled);
  }

  /**
   * Throttles a workspace, or no longer: {@code catalog.setRequestsPerMinute(id, 1_000L)}.
   *
   * @param id of the workspace
   * @param requestsPerMinute how many requests of all its keys are answered; null for any number
   * @return as it is now; empty if there is none of this id
   * @throws SQLException if the database fails
   */
  public Optional<Workspace> setRequestsPerMinute(String id, @Nullable Long requestsPerMinute)
      throws SQLException {
    checkRequests(requestsPerMinute);
    return updateWorkspace(id, "requests_per_minute = ?", requestsPerMinute);
  }

  private Optional<Workspace> updateWorkspace(String id, String change, @Nullable Object value)
      throws SQLException {
    return edit(edit -> {
      if (edit.byId(WORKSPACES, id).isEmpty()) {
        return Optional.empty();
      }
      edit.record(id, "workspace.update", OPERATOR, id);
      return Optional.of(edit.update(WORKSPACES, id, change, value));
    });
  }

  /**
   * Makes a key.
   *
   * @param workspaceId whose it is
   * @param name what people call it; others may have the same
   * @param permissions what it may do, each without a line break
   * @return the key, with its secret
   * @throws IllegalArgumentException if there is no such workspace
   * @throws SQLException if the database fails
   */
  public NewRootKey createKey(String workspaceId, String name, Set<String> permissions)
      throws SQLException {
    checkText("name", name);
    String lines = lines(permissions);
    return edit(edit -> {
      checkWorkspace(edit, workspaceId);
      return insertKey(edit, workspaceId, name, random.secret(), lines);
    });
  }

  private static NewRootKey insertKey(
      Edit edit, String workspaceId, String name, String secret, String permissions)
      throws SQLException {
    RootKey key = edit.insert(
        KEYS,
        "workspace_id, name, key_hash, key_start, permissions, enabled, created_at_m",
        workspaceId,
        name,
        HexFormat.of().formatHex(Sha256.of(secret)),
        secret.substring(0, START_LENGTH),
        permissions,
        true,
        edit.nowMillis());
    edit.record(workspaceId, "key.create", OPERATOR, key.id());
    return new NewRootKey(key, secret);
  }

  /**
   * Lets a key in, or keeps it out until it is enabled again.
   *
   * @param id of the key
   * @param enabled whether it is let in
   * @return as it is now; empty if there is none of this id, or if it was revoked
   * @throws SQLException if the database fails
   */
  public Optional<RootKey> setKeyEnabled(String id, boolean enabled) throws SQLException {
    return edit(edit -> {
      Optional<RootKey> found = edit.byId(KEYS, id).filter(key -> !key.revoked());
      if (found.isEmpty() || found.get().enabled() == enabled) {
        return found;
      }
      edit.record(found.get().workspaceId(), enabled ? "key.enable" : "key.disable", OPERATOR, id);
      return Optional.of(edit.update(KEYS, id, "enabled = ?", enabled));
    });
  }

  /**
   * Keeps a key out for good.
   *
   * @param id of the key
   * @return as it is now; empty if there is none of this id, or if it was revoked already
   * @throws SQLException if the database fails
   */
  public Optional<RootKey> revokeKey(String id) throws SQLException {
    return edit(edit -> {
      Optional<RootKey> found = edit.byId(KEYS, id).filter(key -> !key.revoked());
      if (found.isEmpty()) {
        return found;
      }
      edit.record(found.get().workspaceId(), "key.revoke", OPERATOR, id);
      return Optional.of(edit.update(KEYS, id, "revoked_at_m = ?", edit.nowMillis()));
    });
  }

  /**
   * The namespace of this name: a new one, or the one that is or was there.
   *
   * @param workspaceId whose it is
   * @param name what clients call it
   * @param actor who asks, for the audit log
   * @return the namespace, which may be a deleted one
   * @throws IllegalArgumentException if there is no such workspace
   * @throws SQLException if the database fails
   */
  public Namespace createNamespace(String workspaceId, String name, String actor)
      throws SQLException {
    checkText("name", name);
    if (Namespace.isId(name)) {
      throw new IllegalArgumentException("name must not have the form of an id: " + name);
    }
    checkText("actor", actor);
    return edit(edit -> {
      checkWorkspace(edit, workspaceId);
      byte[] hash = Sha256.of(name);
      Optional<Namespace> found =
          edit.find(NAMESPACES, "workspace_id = ? AND name_hash = ?", workspaceId, hash);
      if (found.isPresent()) {
        return found.get();
      }
      Namespace namespace = edit.insert(
          NAMESPACES,
          "workspace_id, name, name_hash, created_at_m",
          workspaceId,
          name,
          hash,
          edit.nowMillis());
      edit.record(workspaceId, "ratelimitNamespace.create", actor, namespace.id());
      return namespace;
    });
  }

  /**
   * Deletes a namespace, or brings it back with all its overrides.
   *
   * @param id of the namespace
   * @param deleted whether it is to be gone
   * @param actor who asks, for the audit log
   * @return as it is now; empty if there is none of this id
   * @throws SQLException if the database fails
   */
  public Optional<Namespace> setNamespaceDeleted(String id, boolean deleted, String actor)
      throws SQLException {
    checkText("actor", actor);
    return edit(edit -> {
      Optional<Namespace> found = edit.byId(NAMESPACES, id);
      if (found.isEmpty() || found.get().deleted() == deleted) {
        return found;
      }
      edit.record(
          found.get().workspaceId(),
          deleted ? "ratelimitNamespace.delete" : "ratelimitNamespace.restore",
          actor,
          id);
      return Optional.of(
          edit.update(NAMESPACES, id, "deleted_at_m = ?", deleted ? edit.nowMillis() : null));
    });
  }

  /**
   * Makes an override, changes it, or brings it back.
   *
   * @param namespaceId namespace of the override
   * @param identifier the pattern: {@code *} stands for any run of characters
   * @param limit tokens per window; 0 denies everything
   * @param durationMillis length of the window
   * @param actor who asks, for the audit log
   * @return the override, with the id that this pattern has always had
   * @throws IllegalArgumentException if there is no such namespace
   * @throws SQLException if the database fails
   */
  public LimitOverride setOverride(
      String namespaceId, String identifier, long limit, long durationMillis, String actor)
      throws SQLException {
    checkText("identifier", identifier);
    Bounds.checkTokens("limit", limit);
    Bounds.checkWindow(durationMillis);
    checkText("actor", actor);
    return edit(edit -> {
      String workspaceId = edit.byId(NAMESPACES, namespaceId)
          .orElseThrow(() ->
              new IllegalArgumentException("there is no namespace of this id: " + namespaceId))
          .workspaceId();
      Optional<LimitOverride> found = override(edit, namespaceId, identifier);
      LimitOverride override = found.isPresent()
          ? edit.update(
              OVERRIDES,
              found.get().id(),
              "limit_tokens = ?, duration_ms = ?, updated_at_m = ?, deleted_at_m = NULL",
              limit,
              durationMillis,
              edit.nowMillis())
          : edit.insert(
              OVERRIDES,
              "workspace_id, namespace_id, identifier, identifier_hash, limit_tokens, duration_ms,"
                  + " created_at_m, updated_at_m",
              workspaceId,
              namespaceId,
              identifier,
              Sha256.of(identifier),
              limit,
              durationMillis,
              edit.nowMillis(),
              edit.nowMillis());
      edit.record(workspaceId, "ratelimit.set_override", actor, override.id());
      return override;
    });
  }

  /**
   * Deletes an override.
   *
   * @param namespaceId namespace of the override
   * @param identifier exactly its pattern
   * @param actor who asks, for the audit log
   * @return as it was, but deleted; empty if there is none of exactly this pattern
   * @throws SQLException if the database fails
   */
  public Optional<LimitOverride> deleteOverride(String namespaceId, String identifier, String actor)
      throws SQLException {
    checkText("identifier", identifier);
    checkText("actor", actor);
    return edit(edit -> {
      Optional<LimitOverride> found =
          override(edit, namespaceId, identifier).filter(override -> !override.deleted());
      if (found.isEmpty()) {
        return found;
      }
      String id = found.get().id();
      edit.record(found.get().workspaceId(), "ratelimit.delete_override", actor, id);
      return Optional.of(edit.update(
          OVERRIDES, id, "deleted_at_m = ?, updated_at_m = ?", edit.nowMillis(), edit.nowMillis()));
    });
  }

  private static Optional<LimitOverride> override(Edit edit, String namespaceId, String identifier)
      throws SQLException {
    return edit.find(
        OVERRIDES, "namespace_id = ? AND identifier_hash = ?", namespaceId, Sha256.of(identifier));
  }

  private static void checkWorkspace(Edit edit, String id) throws SQLException {
    if (edit.byId(WORKSPACES, id).isEmpty()) {
      throw new IllegalArgumentException("there is no workspace of this id: " + id);
    }
  }

  private static void checkRequests(@Nullable Long requestsPerMinute) {
    if (requestsPerMinute != null) {
      Bounds.checkTokens("requestsPerMinute", requestsPerMinute);
    }
  }

  private static void checkText(String name, String value) {
    Bounds.checkName(name, value);
    try {
      Sha256.utf8(value);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(name + " must not have half a surrogate pair");
    }
  }

  /** As they are kept: one in a line. */
  private static String lines(Set<String> permissions) {
    for (String permission : permissions) {
      checkText("permission", permission);
      if (permission.contains("\n")) {
        throw new IllegalArgumentException("permission must not have a line break: " + permission);
      }
    }
    String lines = String.join("\n", new TreeSet<>(permissions));
    if (lines.getBytes(StandardCharsets.UTF_8).length > MOST_PERMISSION_BYTES) {
      throw new IllegalArgumentException("permissions must have at most " + MOST_PERMISSION_BYTES
          + " bytes in all; there are " + permissions.size() + " of them");
    }
    return lines;
  }

  /** Work that edits. */
  private interface EditWork<T> {
    T with(Edit edit) throws SQLException;
  }

  /** What is not committed, the pool rolls back before it lends the connection again. */
  private <T> T edit(EditWork<T> work) throws SQLException {
    return inConnection(connection -> {
      Edit edit = Edit.begin(connection, random);
      T result = work.with(edit);
      if (edit.hasChanged()) {
        connection.commit();
      } else {
        connection.rollback();
      }
      return result;
    });
  }

  /** Work with a connection. */
  private interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  /** A connection that something failed on is not used again: who knows where it leads. */
  private <T> T inConnection(Work<T> work) throws SQLException {
    try {
      ensureSchema();
      try (Connection connection = database.getConnection()) {
        return inConnection(connection, work);
      }
    } catch (SQLException e) {
      if (disk == null || !disk.isCauseOf(e)) {
        throw e;
      }
      database.getHikariPoolMXBean().softEvictConnections(); // H2 has closed the file under them
      throw disk.explain(e);
    }
  }

  private <T> T inConnection(Connection connection, Work<T> work) throws SQLException {
    try {
      T result = work.with(connection);
      if (connection.isReadOnly()) { // the disk was full; the next may find space
        database.evictConnection(connection);
      }
      return result;
    } catch (SQLException e) {
      database.evictConnection(connection);
      throw e;
    }
  }

  private void ensureSchema() throws SQLException {
    try {
      schema.ensure();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientException("interrupted");
    } catch (IllegalStateException e) {
      throw new SQLNonTransientException(e.getMessage());
    }
  }

  /** Closes its connections; of a file, the last that closes them closes the file. */
  @Override
  public void close() {
    Database.close(database, LONGEST_GOODBYE);
  }
}
