package io.tidegate.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.model.Bounds;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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

  /** Leaves room for the hash, and shows enough of the value to recognize it. */
  private static final int SHORTENED_LENGTH = 400;

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
      default -> shorten(join(entries));
    };
  }

  /** The identifier of a limit that no rule names: all keys and values. */
  static String ofAll(List<Entry> entries) {
    return entries.isEmpty()
        ? ALL
        : shorten(entries.stream()
            .map(entry -> escape(entry.key()) + "=" + escape(entry.value()))
            .collect(Collectors.joining("|")));
  }

  private static String single(String value) {
    return value.isEmpty() ? "\\" : shorten(escape(value));
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

  /** Replaces the end of a text that is too long for an identifier by the hash of the whole. */
  private static String shorten(String text) {
    if (text.length() <= Bounds.MAX_NAME_LENGTH
        || text.codePointCount(0, text.length()) <= Bounds.MAX_NAME_LENGTH) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, SHORTENED_LENGTH)) + "~" + sha256(text);
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
