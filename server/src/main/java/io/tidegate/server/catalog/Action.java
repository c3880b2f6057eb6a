package io.tidegate.server.catalog;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a root key may be permitted to do. */
public enum Action {
  /** To ask whether something is within its limit. */
  LIMIT,
  /** To ask so in a namespace that is not there yet. */
  CREATE_NAMESPACE,
  /** To make and change overrides. */
  SET_OVERRIDE,
  /** To see overrides. */
  READ_OVERRIDE,
  /** To delete overrides. */
  DELETE_OVERRIDE,
  /** To see what was asked. Nothing asks for it yet. */
  READ_ANALYTICS;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** As permissions have it: {@code set_override}. */
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
