package io.tidegate.server.service;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The secret of a root key as a request presents it. A front may keep it for further requests with
 * the same headers: it saves the hash, and whether the key exists is still decided each time.
 */
public final class RootKeySecret {

  /** Per thread, because looking up the algorithm costs as much as the hash. */
  private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(() -> {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  });

  private final byte[] hash;

  /** Hashes a secret. */
  public RootKeySecret(String secret) {
    this.hash = SHA_256.get().digest(secret.getBytes(StandardCharsets.UTF_8));
  }

  /** The hash by which the catalog knows the key; not to be written to. */
  byte[] hash() {
    return hash;
  }
}
