package io.tidegate.server.catalog;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An action that a root key can be permitted to do. The only list of them. */
public enum Action {
  /** Request a decision, alone or in a batch. */
  LIMIT,
  /** Create a namespace by sending a request for it. */
  CREATE_NAMESPACE,
  /** Create and change overrides. */
  SET_OVERRIDE,
  /** Read overrides. */
  READ_OVERRIDE,
  /** Delete overrides. */
  DELETE_OVERRIDE;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The action as written in a permission: {@code set_override}. */
  public String word() {
    return word;
  }

  static @Nullable Action of(String word) {
    for (Action action : values()) {
      if (action.word.equals(word)) {
        return action;
      }
    }
    return null;
  }
}
