package io.tidegate.server.api;

import io.tidegate.model.Bounds;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which fields an object of a body must have, may have, and within which bounds. */
final class Shape {

  /** Least and greatest number, or least and greatest number of characters. */
  record Range(long least, long most) {

    boolean has(long value) {
      return value >= least && value <= most;
    }
  }

  /** Thirty days. */
  private static final long MAX_REQUESTED_WINDOW_MILLIS = 2_592_000_000L;

  private static final Range NAME = new Range(1, Bounds.MAX_NAME_LENGTH);
  private static final Range COST = new Range(0, Bounds.MAX_TOKENS);

  /** What is asked of the limiter. */
  static final Shape LIMIT = new Shape()
      .required(Field.NAMESPACE, NAME)
      .required(Field.IDENTIFIER, NAME)
      .required(Field.LIMIT, new Range(1, Bounds.MAX_TOKENS))
      .required(Field.DURATION, new Range(Bounds.MIN_WINDOW_MILLIS, MAX_REQUESTED_WINDOW_MILLIS))
      .optional(Field.COST, COST);

  /** An override that is to be. */
  static final Shape SET_OVERRIDE = new Shape()
      .required(Field.NAMESPACE, NAME)
      .required(Field.IDENTIFIER, NAME)
      .required(Field.LIMIT, new Range(0, Bounds.MAX_TOKENS))
      .required(Field.DURATION, new Range(Bounds.MIN_WINDOW_MILLIS, Bounds.MAX_WINDOW_MILLIS));

  /** An override that is meant. */
  static final Shape NAME_OVERRIDE =
      new Shape().required(Field.NAMESPACE, NAME).required(Field.IDENTIFIER, NAME);

  /** A part of a list. */
  static final Shape LIST_OVERRIDES = new Shape()
      .required(Field.NAMESPACE, NAME)
      .optional(Field.CURSOR, new Range(0, Bounds.MAX_NAME_LENGTH))
      .optional(Field.LIMIT, new Range(1, 100));

  /** By field; null for one that is not allowed. */
  private final @Nullable Range[] ranges = new Range[Field.ALL.length];

  private final Set<Field> required = EnumSet.noneOf(Field.class);

  private Shape() {}

  private Shape required(Field field, Range range) {
    required.add(field);
    return optional(field, range);
  }

  private Shape optional(Field field, Range range) {
    ranges[field.ordinal()] = range;
    return this;
  }

  boolean allows(Field field) {
    return ranges[field.ordinal()] != null;
  }

  Range range(Field field) {
    return ranges[field.ordinal()];
  }

  /** Whether nothing is missing. */
  boolean isComplete(Fields fields) {
    for (Field field : Field.ALL) {
      if (required.contains(field) && !fields.has(field)) {
        return false;
      }
    }
    return true;
  }

  Set<Field> required() {
    return required;
  }

  Set<Field> allowed() {
    Set<Field> allowed = EnumSet.allOf(Field.class);
    allowed.removeIf(field -> !allows(field));
    return allowed;
  }
}
