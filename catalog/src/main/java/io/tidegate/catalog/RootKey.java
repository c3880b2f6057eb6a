package io.tidegate.catalog;

import java.util.Set;

/**
 * What lets a client act for a workspace. The key itself is kept nowhere.
 *
 * @param id {@code key_} and more
 * @param workspaceId whose it is
 * @param name what people call it
 * @param hash SHA-256 of the key, in lower-case hexadecimal
 * @param start the first characters of the key, to tell it from others
 * @param permissions what it may do: {@code ratelimit.*.limit}
 * @param enabled whether it is let in
 * @param revoked whether it is gone for good
 * @param createdAtMillis milliseconds since 1970
 * @param version of the catalog, as of its last change
 */
public record RootKey(
    String id,
    String workspaceId,
    String name,
    String hash,
    String start,
    Set<String> permissions,
    boolean enabled,
    boolean revoked,
    long createdAtMillis,
    long version) {

  /** Keeps its own copy of the permissions. */
  public RootKey {
    permissions = Set.copyOf(permissions);
  }
}
