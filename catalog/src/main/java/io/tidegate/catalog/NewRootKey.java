package io.tidegate.catalog;

/**
 * A root key that was just made, the only time that its secret is known.
 *
 * @param key as the catalog keeps it
 * @param secret what the client sends
 */
public record NewRootKey(RootKey key, String secret) {

  /** Without the secret, which belongs in no log. */
  @Override
  public String toString() {
    return "NewRootKey[key=" + key + "]";
  }
}
