package io.tidegate.server.api;

import io.tidegate.model.Bounds;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The fields that an object of a body must or may have, with their bounds. */
final class BodySchema {

  /** The bounds of a number, or of the number of characters of a text; both are inclusive. */
  record Range(long min, long max) {

    boolean contains(long value) {
      return value >= min && value <= max;
    }
  }

  /** The longest window a request may ask for; the clients' contract. */
  private static final long MAX_REQUESTED_WINDOW_MILLIS = TimeUnit.DAYS.toMillis(30);

  /** The longest page of a list; the clients' contract. */
  private static final int MAX_PAGE = 100;

  private static final Range NAME = new Range(1, Bounds.MAX_NAME_LENGTH);

  /** A request for a decision. */
  static final BodySchema LIMIT = new BodySchema()
      .required(BodyField.NAMESPACE, NAME)
      .required(BodyField.IDENTIFIER, NAME)
      .required(BodyField.LIMIT, new Range(1, Bounds.MAX_TOKENS))
      .required(
          BodyField.DURATION, new Range(Bounds.MIN_WINDOW_MILLIS, MAX_REQUESTED_WINDOW_MILLIS))
      .optional(BodyField.COST, new Range(0, Bounds.MAX_TOKENS))
      .substitute(BodyField.RULE, NAME, BodyField.LIMIT, BodyField.DURATION);

  /** A new or changed override. */
  static final BodySchema SET_OVERRIDE = new BodySchema()
      .required(BodyField.NAMESPACE, NAME)
      .required(BodyField.IDENTIFIER, NAME)
      .required(BodyField.LIMIT, new Range(0, Bounds.MAX_TOKENS))
      .required(BodyField.DURATION, new Range(Bounds.MIN_WINDOW_MILLIS, Bounds.MAX_WINDOW_MILLIS));

  /** The name of an override. */
  static final BodySchema NAME_OVERRIDE =
      new BodySchema().required(BodyField.NAMESPACE, NAME).required(BodyField.IDENTIFIER, NAME);

  /** A page of overrides. */
  static final BodySchema LIST_OVERRIDES = new BodySchema()
      .required(BodyField.NAMESPACE, NAME)
      .optional(BodyField.CURSOR, new Range(0, Bounds.MAX_NAME_LENGTH))
      .optional(BodyField.LIMIT, new Range(1, MAX_PAGE));

  /** The bounds of the allowed fields. */
  private final Map<BodyField, Range> ranges = new EnumMap<>(BodyField.class);

  private final Set<BodyField> required = EnumSet.noneOf(BodyField.class);

  /** The required fields, as bits for {@link BodyObject#hasAll}. */
  private int requiredBits;

  /** The required fields that the substitute stands for, and their bits; none by default. */
  private final Set<BodyField> replaced = EnumSet.noneOf(BodyField.class);

  private int replacedBits;

  /** The field that an object may have instead of the replaced ones; null if there is none. */
  private @Nullable BodyField substitute;

  private BodySchema() {}

  private BodySchema required(BodyField field, Range range) {
    required.add(field);
    requiredBits |= field.bit();
    return optional(field, range);
  }

  private BodySchema optional(BodyField field, Range range) {
    ranges.put(field, range);
    return this;
  }

  private BodySchema substitute(BodyField field, Range range, BodyField... requiredFields) {
    substitute = field;
    for (BodyField one : requiredFields) {
      replaced.add(one);
      replacedBits |= one.bit();
    }
    return optional(field, range);
  }

  /** The bounds of a field; null if the field is not allowed. */
  @Nullable
  Range range(BodyField field) {
    return ranges.get(field);
  }

  /** Whether an object has all fields that it must have, and none that exclude each other. */
  boolean isComplete(BodyObject object) {
    return hasSubstitute(object)
        ? object.hasAll(requiredBits & ~replacedBits) && !object.hasAny(replacedBits)
        : object.hasAll(requiredBits);
  }

  private boolean hasSubstitute(BodyObject object) {
    return substitute != null && object.has(substitute);
  }

  /** The fields that an object must have and does not. */
  Set<BodyField> missing(BodyObject object) {
    Set<BodyField> missing = EnumSet.copyOf(required);
    missing.removeIf(object::has);
    if (hasSubstitute(object)) {
      missing.removeAll(replaced);
    }
    return missing;
  }

  /** The fields of an object that it must not have beside its substitute. */
  Set<BodyField> excluded(BodyObject object) {
    Set<BodyField> excluded = EnumSet.copyOf(replaced);
    excluded.removeIf(field -> !hasSubstitute(object) || !object.has(field));
    return excluded;
  }

  Set<BodyField> allowed() {
    return ranges.keySet();
  }
}
