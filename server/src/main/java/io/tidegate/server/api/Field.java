package io.tidegate.server.api;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a body may have in it. */
enum Field {
  NAMESPACE,
  IDENTIFIER,
  LIMIT,
  DURATION,
  COST,
  CURSOR;

  /** In their order. The enum itself would give another copy each time. */
  static final Field[] ALL = values();

  private final String property = name().toLowerCase(Locale.ROOT);

  /** Its name in a body. */
  String property() {
    return property;
  }

  static @Nullable Field of(String property) {
    return switch (property) {
      case "namespace" -> NAMESPACE;
      case "identifier" -> IDENTIFIER;
      case "limit" -> LIMIT;
      case "duration" -> DURATION;
      case "cost" -> COST;
      case "cursor" -> CURSOR;
      default -> null;
    };
  }

  boolean isText() {
    return this == NAMESPACE || this == IDENTIFIER || this == CURSOR;
  }
}
