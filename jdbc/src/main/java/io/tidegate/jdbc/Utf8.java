package io.tidegate.jdbc;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** UTF-8 without replacement characters. */
final class Utf8 {

  private Utf8() {}

  /**
   * Encodes a text.
   *
   * @throws CharacterCodingException if it has an unpaired surrogate, which UTF-8 cannot represent
   */
  static ByteBuffer encode(String text) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
  }
}
