package io.tidegate.server.log;

/** Escapes text of clients, files and libraries so that it stays on its line. */
public final class Escaped {

  private Escaped() {}

  /**
   * Returns the text with everything escaped that ends a line, moves the cursor, or changes the
   * direction of text.
   */
  public static String of(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints().forEach(character -> {
      switch (character) {
        case '\n' -> escaped.append("\\n");
        case '\r' -> escaped.append("\\r");
        case '\t' -> escaped.append("\\t");
        default -> {
          if (isPlain(character)) {
            escaped.appendCodePoint(character);
          } else {
            escaped.append(String.format("\\u%04x", character));
          }
        }
      }
    });
    return escaped.toString();
  }

  private static boolean isPlain(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR -> false;
      default -> true;
    };
  }
}
