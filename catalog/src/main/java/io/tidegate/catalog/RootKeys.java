package io.tidegate.catalog;

import static io.tidegate.catalog.Workspaces.OPERATOR;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The rows of root keys, and their edits. Permissions are stored one per line. */
final class RootKeys {

  static final CatalogTable<RootKey> TABLE = new CatalogTable<>(
      "root_keys",
      "key_",
      RootKey::id,
      row -> new RootKey(
          row.getString("id"),
          row.getString("workspace_id"),
          row.getString("name"),
          row.getString("key_hash"),
          row.getString("key_start"),
          permissions(row.getString("permissions")),
          row.getBoolean("enabled"),
          Statements.nullableLong(row, "revoked_at_m") != null,
          row.getLong("created_at_m"),
          row.getLong("version")));

  /** Enough characters to recognize a key in a list, and too few to guess the rest. */
  private static final int START_LENGTH = 7;

  private RootKeys() {}

  private static Set<String> permissions(String lines) {
    return Arrays.stream(lines.split("\n", -1))
        .filter(line -> !line.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  static Optional<RootKey> find(Connection connection, String secret) throws SQLException {
    return TABLE.find(connection, "key_hash = ?", hash(secret));
  }

  static Optional<RootKey> find(CatalogEdit edit, String secret) throws SQLException {
    return edit.find(TABLE, "key_hash = ?", hash(secret));
  }

  static NewRootKey create(
      CatalogEdit edit, String workspaceId, String name, String secret, String permissionLines)
      throws SQLException {
    RootKey key = edit.insert(
        TABLE,
        "workspace_id, name, key_hash, key_start, permissions, enabled, created_at_m",
        workspaceId,
        name,
        hash(secret),
        secret.substring(0, START_LENGTH),
        permissionLines,
        true,
        edit.nowMillis());
    edit.record(workspaceId, "key.create", OPERATOR, key.id());
    return new NewRootKey(key, secret);
  }

  static Optional<RootKey> enable(CatalogEdit edit, String id) throws SQLException {
    Optional<RootKey> found = unrevoked(edit, id);
    return found.isEmpty() || found.get().enabled()
        ? found
        : update(edit, found.get(), "key.enable", "enabled = ?", true);
  }

  static Optional<RootKey> disable(CatalogEdit edit, String id) throws SQLException {
    Optional<RootKey> found = unrevoked(edit, id);
    return found.isEmpty() || !found.get().enabled()
        ? found
        : update(edit, found.get(), "key.disable", "enabled = ?", false);
  }

  static Optional<RootKey> revoke(CatalogEdit edit, String id) throws SQLException {
    Optional<RootKey> found = unrevoked(edit, id);
    return found.isEmpty()
        ? found
        : update(edit, found.get(), "key.revoke", "revoked_at_m = ?", edit.nowMillis());
  }

  private static Optional<RootKey> unrevoked(CatalogEdit edit, String id) throws SQLException {
    return edit.byId(TABLE, id).filter(key -> !key.revoked());
  }

  private static Optional<RootKey> update(
      CatalogEdit edit, RootKey key, String event, String assignment, Object value)
      throws SQLException {
    edit.record(key.workspaceId(), event, OPERATOR, key.id());
    return Optional.of(edit.update(TABLE, key.id(), assignment, value));
  }

  private static String hash(String secret) {
    return HexFormat.of().formatHex(Sha256.of(secret));
  }
}
