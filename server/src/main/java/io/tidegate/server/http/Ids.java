package io.tidegate.server.http;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Generates request ids, by which the log lines of a request are found. They are not secrets, so
 * the random numbers need not be hard to guess.
 */
final class Ids {

  private static final byte[] ALPHABET =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
          .getBytes(StandardCharsets.US_ASCII);

  /** The form of ids that clients know: a prefix and nine alphanumerics. */
  private static final int RANDOM_CHARACTERS = 9;

  private Ids() {}

  static String request() {
    byte[] id = {'r', 'e', 'q', '_', 0, 0, 0, 0, 0, 0, 0, 0, 0};
    // One random number serves all characters: 2^63 is 681 times 62^9, so they are nearly uniform.
    long random = ThreadLocalRandom.current().nextLong() >>> 1;
    for (int i = 0; i < RANDOM_CHARACTERS; i++) {
      id[4 + i] = ALPHABET[(int) (random % ALPHABET.length)];
      random /= ALPHABET.length;
    }
    return new String(id, StandardCharsets.ISO_8859_1);
  }
}
