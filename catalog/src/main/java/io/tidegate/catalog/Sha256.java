package io.tidegate.catalog;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Hashes of text: what strangers choose, and what must not be read back. */
final class Sha256 {

  private Sha256() {}

  static byte[] of(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /**
   * The bytes of a text.
   *
   * @throws CharacterCodingException if it has half a surrogate pair, which is no text
   */
  static ByteBuffer utf8(String text) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
  }
}
