package io.tidegate.redis;

import io.lettuce.core.codec.Base16;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A Lua script, and the digest under which Redis caches it.
 *
 * @param text the source
 * @param digest SHA-1 of the source, in hexadecimal
 */
record Script(String text, String digest) {

  /** Reads a script from a resource next to this class. */
  static Script read(String file) {
    try (InputStream in = Script.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("missing from the jar: " + file);
      }
      byte[] source = in.readAllBytes();
      return new Script(new String(source, StandardCharsets.UTF_8), Base16.digest(source));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
