package io.tidegate.testing.property;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * The source of the input of one try of a {@link Property}: random values, and collections whose
 * length the size of the try bounds. Two generators with the same seed and size create the same
 * values.
 */
public final class Generator extends Random {

  private static final long serialVersionUID = 1;

  /** The size of a try that may use every length. */
  static final int FULL_SIZE = 100;

  private final int size;

  Generator(long seed, int size) {
    super(seed);
    this.size = size;
  }

  /**
   * A number of a range, each equally likely.
   *
   * @param min the least
   * @param max the greatest
   * @return the number
   */
  public long between(long min, long max) {
    return max == Long.MAX_VALUE ? nextLong(min - 1, max) + 1 : nextLong(min, max + 1);
  }

  /**
   * A number from 0 to a maximum, each number of bits equally likely: as many below 100 as between
   * a million and a hundred million.
   *
   * @param max the greatest
   * @return the number
   */
  public long ofAnyMagnitude(long max) {
    int bits = nextInt(Long.SIZE - Long.numberOfLeadingZeros(max) + 1);
    return bits == 0 ? 0 : Math.min(max, nextLong() >>> (Long.SIZE - bits));
  }

  /**
   * One of some values, each equally likely.
   *
   * @param values the values
   * @return one of them
   */
  @SafeVarargs
  public final <T> T oneOf(T... values) {
    return values[nextInt(values.length)];
  }

  /**
   * A length from a minimum to a maximum that the size of the try lowers.
   *
   * @param min the least, whatever the size
   * @param max the greatest of a try of full size
   * @return the length
   */
  public int length(int min, int max) {
    return min + nextInt((max - min) * size / FULL_SIZE + 1);
  }

  /**
   * A length in proportion to the size of the try.
   *
   * @param max the length of a try of full size
   * @return at least 1
   */
  public int sized(int max) {
    return Math.max(1, max * size / FULL_SIZE);
  }

  /**
   * A list.
   *
   * @param min the least length
   * @param max the greatest length of a try of full size
   * @param element creates an element, from this generator
   * @return the list
   */
  public <T> List<T> list(int min, int max, Supplier<? extends T> element) {
    List<T> list = new ArrayList<>();
    for (int i = length(min, max); i > 0; i--) {
      list.add(element.get());
    }
    return list;
  }

  /**
   * A text that is composed of parts, each equally likely.
   *
   * @param min the least number of parts
   * @param max the greatest number of parts of a try of full size
   * @param parts the parts to choose from
   * @return the text
   */
  public String text(int min, int max, String... parts) {
    return String.join("", list(min, max, () -> oneOf(parts)));
  }
}
