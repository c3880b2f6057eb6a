package io.tidegate.server.api;

import io.tidegate.server.service.EntryLimit;
import io.tidegate.server.service.LimitEntry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One object of a request body. Has at least the required fields of its {@link BodySchema}. */
final class BodyObject {

  /** The tokens a request takes if it does not say how many. */
  private static final long DEFAULT_COST = 1;

  private @Nullable String namespace;
  private @Nullable String identifier;
  private @Nullable String cursor;
  private @Nullable String rule;
  private long limit;
  private long durationMillis;
  private long cost = DEFAULT_COST;

  /** The {@link BodyField#bit bits} of the fields that are present. */
  private int present;

  boolean has(BodyField field) {
    return hasAll(field.bit());
  }

  boolean hasAll(int bits) {
    return (present & bits) == bits;
  }

  boolean hasAny(int bits) {
    return (present & bits) != 0;
  }

  void set(BodyField field, String value) {
    switch (field) {
      case NAMESPACE -> namespace = value;
      case IDENTIFIER -> identifier = value;
      case CURSOR -> cursor = value;
      case RULE -> rule = value;
      default -> throw new IllegalArgumentException(field + " is not a text");
    }
    markPresent(field);
  }

  void set(BodyField field, long value) {
    switch (field) {
      case LIMIT -> limit = value;
      case DURATION -> durationMillis = value;
      case COST -> cost = value;
      default -> throw new IllegalArgumentException(field + " is not a number");
    }
    markPresent(field);
  }

  /** Records that the field is present, with a value that may be invalid. */
  void markPresent(BodyField field) {
    present |= field.bit();
  }

  String namespace() {
    return Objects.requireNonNull(namespace);
  }

  String identifier() {
    return Objects.requireNonNull(identifier);
  }

  String cursorOr(String absent) {
    return cursor == null ? absent : cursor;
  }

  long limit() {
    return limit;
  }

  long limitOr(long absent) {
    return has(BodyField.LIMIT) ? limit : absent;
  }

  long durationMillis() {
    return durationMillis;
  }

  long cost() {
    return cost;
  }

  LimitEntry toLimitEntry() {
    EntryLimit wanted =
        rule == null ? new EntryLimit.Sent(limit, durationMillis) : new EntryLimit.Named(rule);
    return new LimitEntry(namespace(), identifier(), wanted, cost);
  }
}
