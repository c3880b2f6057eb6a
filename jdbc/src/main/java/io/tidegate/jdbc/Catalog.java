package io.tidegate.jdbc;

import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask for what: workspaces, root keys, namespaces and overrides, in MySQL, MariaDB or an H2
 * file.
 *
 * <pre>{@code
 * Catalog catalog = Catalog.open("jdbc:h2:file:./data/catalog", null, null, true);
 * NewRootKey key = catalog.createKey(workspace.id(), "ci", Set.of("ratelimit.*.limit"));
 * }</pre>
 *
 * <p>All calls block. Edits are made one at a time, all over the world, and each has the next
 * version: who has read up to a version has missed nothing before it.
 */
public final class Catalog implements AutoCloseable {

  private Catalog() {}

  /** Returns also if the database is not there; it is used when it appears. */
  public static Catalog open(
      String jdbcUrl, @Nullable String user, @Nullable String password, boolean migrate) {
    throw new UnsupportedOperationException();
  }

  /** Everything that has a greater version; of 0, everything. */
  public CatalogChanges changesSince(long version) throws SQLException {
    throw new UnsupportedOperationException();
  }

  /** The newest version. */
  public long version() throws SQLException {
    throw new UnsupportedOperationException();
  }

  /** If there is no workspace yet, one with a key that may do everything; else nothing. */
  public Optional<NewRootKey> createFirst(Set<String> permissions) throws SQLException {
    throw new UnsupportedOperationException();
  }

  public Workspace createWorkspace(String name, @Nullable Long requestsPerMinute)
      throws SQLException {
    throw new UnsupportedOperationException();
  }

  /** Empty if there is none of this id. */
  public Optional<Workspace> updateWorkspace(
      String id, boolean enabled, @Nullable Long requestsPerMinute) throws SQLException {
    throw new UnsupportedOperationException();
  }

  public NewRootKey createKey(String workspaceId, String name, Set<String> permissions)
      throws SQLException {
    throw new UnsupportedOperationException();
  }

  /** Empty if there is none of this id, or if it was revoked. */
  public Optional<RootKey> setKeyEnabled(String id, boolean enabled) throws SQLException {
    throw new UnsupportedOperationException();
  }

  /** Empty if there is none of this id, or if it was revoked already. */
  public Optional<RootKey> revokeKey(String id) throws SQLException {
    throw new UnsupportedOperationException();
  }

  /** The namespace of this name: a new one, or the one that is or was there. */
  public Namespace createNamespace(String workspaceId, String name, String actor)
      throws SQLException {
    throw new UnsupportedOperationException();
  }

  /** Deletes, or brings back. Empty if there is none of this id. */
  public Optional<Namespace> setNamespaceDeleted(String id, boolean deleted, String actor)
      throws SQLException {
    throw new UnsupportedOperationException();
  }

  /** Makes it, changes it, or brings it back. */
  public LimitOverride setOverride(
      Namespace namespace, String identifier, long limit, long durationMillis, String actor)
      throws SQLException {
    throw new UnsupportedOperationException();
  }

  /** Empty if there is none of exactly this pattern. */
  public Optional<LimitOverride> deleteOverride(
      Namespace namespace, String identifier, String actor) throws SQLException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
