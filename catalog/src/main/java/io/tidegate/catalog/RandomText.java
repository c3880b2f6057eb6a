package io.tidegate.catalog;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/** Letters and digits that nobody can guess. */
final class RandomText {

  private static final String ALPHABET =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  /** Some 10^16 ids: a million of a kind would hardly ever meet. */
  private static final int ID_LENGTH = 9;

  /** 190 bits. */
  private static final int SECRET_LENGTH = 32;

  private final RandomGenerator random;

  RandomText() {
    this(new SecureRandom());
  }

  /** For tests, which want the same id twice. */
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
