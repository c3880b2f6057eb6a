package io.tidegate.server.http;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The ids of requests, by which an answer is found in a log. Nobody must be unable to guess them.
 */
final class Ids {

  private static final byte[] ALPHABET =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
          .getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  private static final int RANDOM_CHARACTERS = 9;

  private Ids() {}

  static String request() {
    byte[] id = {'r', 'e', 'q', '_', 0, 0, 0, 0, 0, 0, 0, 0, 0};
    long random = ThreadLocalRandom.current().nextLong() >>> 1;
    for (int i = 0; i < RANDOM_CHARACTERS; i++) { // 62^9 is a two-hundredth of what a long holds
      id[4 + i] = ALPHABET[(int) (random % ALPHABET.length)];
      random /= ALPHABET.length;
    }
    return new String(id, java.nio.charset.StandardCharsets.ISO_8859_1);
  }
}
