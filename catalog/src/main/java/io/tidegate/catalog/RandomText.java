package io.tidegate.catalog;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/** Random ids and secrets of letters and digits. */
final class RandomText {

  private static final String ALPHABET =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  /** 62^9 is about 10^16 ids; an id that is in use is drawn again. */
  private static final int ID_LENGTH = 9;

  /** 190 random bits, far beyond what can be guessed. */
  private static final int SECRET_LENGTH = 32;

  private final RandomGenerator random;

  RandomText() {
    this(new SecureRandom());
  }

  /** For tests that need the same id twice. */
  RandomText(RandomGenerator random) {
    this.random = random;
  }

  String id(String prefix) {
    return prefix + characters(ID_LENGTH);
  }

  String secret() {
    return "tg_" + characters(SECRET_LENGTH);
  }

  private String characters(int length) {
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }
}
