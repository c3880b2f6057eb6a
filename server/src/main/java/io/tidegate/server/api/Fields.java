package io.tidegate.server.api;

import org.jspecify.annotations.Nullable;

/** What one object of a body says: as many of these as its {@link Shape} wants. */
final class Fields {

  /** Of namespace, identifier and cursor. */
  private final @Nullable String[] texts = new String[Field.ALL.length];

  /** Of limit, duration and cost. */
  private final long[] numbers = new long[Field.ALL.length];

  private int present;

  boolean has(Field field) {
    return (present & 1 << field.ordinal()) != 0;
  }

  void set(Field field, String value) {
    texts[field.ordinal()] = value;
    present(field);
  }

  void set(Field field, long value) {
    numbers[field.ordinal()] = value;
    present(field);
  }

  /** It was there, whatever it said. */
  void present(Field field) {
    present |= 1 << field.ordinal();
  }

  String namespace() {
    return texts[Field.NAMESPACE.ordinal()];
  }

  String identifier() {
    return texts[Field.IDENTIFIER.ordinal()];
  }

  String cursor(String otherwise) {
    return has(Field.CURSOR) ? texts[Field.CURSOR.ordinal()] : otherwise;
  }

  long limit() {
    return numbers[Field.LIMIT.ordinal()];
  }

  long limit(long otherwise) {
    return has(Field.LIMIT) ? limit() : otherwise;
  }

  long durationMillis() {
    return numbers[Field.DURATION.ordinal()];
  }

  long cost() {
    return has(Field.COST) ? numbers[Field.COST.ordinal()] : 1;
  }
}
