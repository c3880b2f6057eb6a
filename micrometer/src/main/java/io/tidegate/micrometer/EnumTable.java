package io.tidegate.micrometer;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** One value for each constant of an enum. Immutable, so any thread may read it. */
final class EnumTable<E extends Enum<E>, V> {

  private final Map<E, V> values;

  EnumTable(Class<E> type, Function<E, V> value) {
    values = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      values.put(constant, value.apply(constant));
    }
  }

  V get(E constant) {
    return Objects.requireNonNull(values.get(constant));
  }
}
