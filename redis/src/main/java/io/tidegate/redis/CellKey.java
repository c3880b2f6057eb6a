package io.tidegate.redis;

import io.tidegate.model.Scope;
import io.tidegate.model.WindowCell;
import java.util.Optional;

/**
 * Names of cells, writers and regions in Redis. The key of a cell is
 * {@code tidegate:{region:workspace:namespace:window:identifier}:sequence:counts}.
 *
 * <p>The part in braces is the hash tag: it decides which master of a cluster stores the key, so
 * that all cells of a series are on one master. Names are escaped, so that no two cells have the
 * same key.
 */
final class CellKey {

  /**
   * Field of the sum over a cell's writers. The names of this and the fields below start with a
   * colon, which is escaped in the names of writers and regions; the scripts use the same names.
   */
  static final String TOTAL = ":total";

  /** Field of the sum over other regions. */
  static final String IMPORTED = ":imported";

  /** Field of the number of other regions. */
  static final String REGIONS = ":regions";

  /** Field of the pushed count of the cell's own region. */
  static final String PUSHED = ":pushed";

  /** Start of the fields of other regions' counts. */
  private static final String FROM = ":from:";

  private CellKey() {}

  static String of(String region, WindowCell cell) {
    Scope scope = cell.series().scope();
    StringBuilder key = new StringBuilder("tidegate:{");
    append(key, region).append(':');
    append(key, scope.workspace()).append(':');
    append(key, scope.namespace()).append(':');
    key.append(scope.windowMillis()).append(':');
    append(key, cell.series().identifier());
    return key.append("}:").append(cell.sequence()).append(":counts").toString();
  }

  /** Returns the key of a region's identity, {@code tidegate:{region}:identity}. */
  static String identity(String region) {
    return ofRegion(region, "identity");
  }

  /** Returns the key of a region's nodes, {@code tidegate:{region}:nodes}. */
  static String nodes(String region) {
    return ofRegion(region, "nodes");
  }

  /** Returns the key of a region's reader, {@code tidegate:{region}:reader}. */
  static String reader(String region) {
    return ofRegion(region, "reader");
  }

  private static String ofRegion(String region, String what) {
    StringBuilder key = append(new StringBuilder("tidegate:{"), region);
    return key.append("}:").append(what).toString();
  }

  /** Returns the field of a writer's count. */
  static String field(String writer) {
    return append(new StringBuilder(), writer).toString();
  }

  /** Returns the field of another region's count, {@code :from:region}. */
  static String from(String region) {
    return append(new StringBuilder(FROM), region).toString();
  }

  /** Returns the writer of a field; empty if the field is not that of a writer. */
  static Optional<String> writerOf(String field) {
    return field.startsWith(":") ? Optional.empty() : Optional.of(unescape(field));
  }

  /** Returns the other region of a field; empty if the field is not that of a region. */
  static Optional<String> regionOf(String field) {
    return field.startsWith(FROM)
        ? Optional.of(unescape(field.substring(FROM.length())))
        : Optional.empty();
  }

  /** Appends a name, with percent escapes for separators, blanks and unpaired surrogates. */
  private static StringBuilder append(StringBuilder key, String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < name.length()
          && Character.isLowSurrogate(name.charAt(i + 1))) {
        key.append(c).append(name.charAt(++i));
      } else if (Character.isSurrogate(c)) {
        escape(key.append("%u"), c >> 8); // unpaired: in UTF-8 they would all become "?"
        escape(key, c & 0xff);
      } else if (c <= ' ' || c == '%' || c == ':' || c == '{' || c == '}' || c == 0x7f) {
        escape(key.append('%'), c);
      } else {
        key.append(c);
      }
    }
    return key;
  }

  /** Returns the name that {@link #append} has escaped. */
  private static String unescape(String escaped) {
    StringBuilder name = new StringBuilder(escaped.length());
    for (int i = 0; i < escaped.length(); ) {
      if (escaped.charAt(i) != '%') {
        name.append(escaped.charAt(i++));
        continue;
      }
      int digits = escaped.startsWith("u", i + 1) ? 4 : 2;
      int from = i + (digits == 4 ? 2 : 1);
      i = from + digits;
      if (i > escaped.length()) {
        throw new IllegalArgumentException("not an escaped name: " + escaped);
      }
      name.append((char) Integer.parseInt(escaped, from, i, 16));
    }
    return name.toString();
  }

  private static void escape(StringBuilder key, int octet) {
    key.append(Character.forDigit(octet >> 4, 16)).append(Character.forDigit(octet & 15, 16));
  }
}
