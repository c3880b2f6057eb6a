package io.tidegate.rules;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The identifiers of the counts of a rule: the values of a descriptor that the rule does not name,
 * joined with {@code |}.
 *
 * <p>Different values have different identifiers: {@code |} and {@code \} in a value are escaped
 * with {@code \}. A single empty value is a lone {@code \}, because an identifier must not be
 * empty.
 */
final class IdentifierFormat {

  /** The identifier of a rule that names all values. */
  private static final String ALL = "all";

  /** Positions of the entries whose values are part of the identifier. */
  private final int[] positions;

  private IdentifierFormat(int[] positions) {
    this.positions = positions;
  }

  /**
   * Creates the format of a descriptor.
   *
   * @param fromTop the descriptors from the top of the file to this one
   */
  static IdentifierFormat of(List<Descriptor> fromTop) {
    return new IdentifierFormat(IntStream.range(0, fromTop.size())
        .filter(i -> !fromTop.get(i).namesValue())
        .toArray());
  }

  String format(List<Entry> entries) {
    return switch (positions.length) {
      case 0 -> ALL;
      case 1 -> single(entries.get(positions[0]).value());
      default -> Identifiers.shorten(join(entries));
    };
  }

  /** The identifier of a limit that no rule names: all keys and values. */
  static String ofAll(List<Entry> entries) {
    return entries.isEmpty()
        ? ALL
        : Identifiers.shorten(entries.stream()
            .map(entry -> escape(entry.key()) + "=" + escape(entry.value()))
            .collect(Collectors.joining("|")));
  }

  private static String single(String value) {
    return value.isEmpty() ? "\\" : Identifiers.shorten(escape(value));
  }

  private String join(List<Entry> entries) {
    StringBuilder joined = new StringBuilder(escape(entries.get(positions[0]).value()));
    for (int i = 1; i < positions.length; i++) {
      joined.append('|').append(escape(entries.get(positions[i]).value()));
    }
    return joined.toString();
  }

  /** Returns the same object for almost all values. */
  private static String escape(String value) {
    return value.indexOf('|') < 0 && value.indexOf('\\') < 0
        ? value
        : value.replace("\\", "\\\\").replace("|", "\\|");
  }
}
