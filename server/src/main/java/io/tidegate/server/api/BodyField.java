package io.tidegate.server.api;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A property that objects in request bodies can have. */
enum BodyField {
  NAMESPACE(1),
  IDENTIFIER(1 << 1),
  LIMIT(1 << 2),
  DURATION(1 << 3),
  COST(1 << 4),
  CURSOR(1 << 5),
  RULE(1 << 6);

  private static final BodyField[] ALL = values();

  private final String property = name().toLowerCase(Locale.ROOT);
  private final int bit;

  BodyField(int bit) {
    this.bit = bit;
  }

  /** The bit of this field in a set of fields. */
  int bit() {
    return bit;
  }

  /** The name of the property in JSON. */
  String property() {
    return property;
  }

  static @Nullable BodyField of(String property) {
    return switch (property) {
      case "namespace" -> NAMESPACE;
      case "identifier" -> IDENTIFIER;
      case "limit" -> LIMIT;
      case "duration" -> DURATION;
      case "cost" -> COST;
      case "cursor" -> CURSOR;
      case "rule" -> RULE;
      default -> null;
    };
  }

  /** The field whose property name and closing quote stand at this place; null if none does. */
  static @Nullable BodyField at(byte[] body, int offset) {
    for (BodyField field : ALL) {
      if (field.isAt(body, offset)) {
        return field;
      }
    }
    return null;
  }

  private boolean isAt(byte[] body, int offset) {
    int end = offset + property.length();
    if (end >= body.length || body[end] != '"') {
      return false;
    }
    for (int i = 0; i < property.length(); i++) {
      if (body[offset + i] != property.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  boolean isText() {
    return this == NAMESPACE || this == IDENTIFIER || this == CURSOR || this == RULE;
  }
}
