package io.tidegate.catalog;

import java.util.Set;

/**
 * A key that authenticates clients of a workspace. Only the hash of its secret is stored.
 *
 * @param id {@code key_...}
 * @param workspaceId workspace of the key
 * @param name name for people
 * @param hash SHA-256 of the secret, in lower-case hexadecimal
 * @param start first characters of the secret, to recognize the key in lists
 * @param permissions permitted actions, such as {@code ratelimit.*.limit}
 * @param enabled whether requests of the key are accepted
 * @param revoked whether the key is revoked, which is permanent
 * @param createdAtMillis milliseconds since 1970
 * @param version version of the catalog in which it last changed
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

  /** Copies the permissions. */
  public RootKey {
    permissions = Set.copyOf(permissions);
  }
}
