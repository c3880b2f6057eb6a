package io.tidegate.catalog;

/**
 * A new root key with its secret, which is not stored and cannot be read later.
 *
 * @param key the stored key
 * @param secret secret that clients send
 */
public record NewRootKey(RootKey key, String secret) {

  /** Without the secret, which must not get into logs. */
  @Override
  public String toString() {
    return "NewRootKey[key=" + key + "]";
  }
}
