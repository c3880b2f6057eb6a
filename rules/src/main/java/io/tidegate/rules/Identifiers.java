package io.tidegate.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.model.Bounds;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Turns texts of any length, such as the headers of requests, into identifiers of counts. */
public final class Identifiers {

  /** Leaves room for the hash, and shows enough of the text to recognize it. */
  private static final int SHORTENED_LENGTH = 400;

  private Identifiers() {}

  /**
   * Replaces the end of a text that is too long for an identifier by the hash of the whole:
   * {@code Identifiers.shorten(token)}.
   *
   * @param text the text
   * @return the text itself if it is short enough; at most {@link Bounds#MAX_NAME_LENGTH}
   *     characters, and different for different texts
   */
  public static String shorten(String text) {
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
