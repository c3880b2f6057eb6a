package io.tidegate.benchmarks.load;

import io.tidegate.report.Format;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;

/**
 * Identifiers of requests in their order of arrival, the same for every competitor, fork and run.
 *
 * <p>The order is drawn in advance, so that drawing it is not measured. Each arrival has a string
 * of its own, as if just parsed from a request; no limiter has stored that object.
 */
public final class Identifiers {

  /** Skew of the zipf distribution, as in common web and cache traces. */
  static final double ZIPF_EXPONENT = 0.99;

  /** Objects for a single identifier: few enough to stay in the first-level cache. */
  private static final int SINGLE_ARRIVALS = 64;

  private static final long SEED = 42;

  /** Prime, and no divisor of a power of ten: multiplying by it permutes the keys. */
  private static final long SCATTER = 7_368_787;

  private Identifiers() {}

  /** Describes a number of identifiers in a report. */
  public static String label(int keys) {
    return keys == 1 ? "one hot key" : Format.COUNT.of(keys) + " keys";
  }

  /** The identifier with this number, of 24 characters; a new object at each call. */
  public static String identifier(int number) {
    return "account-" + HexFormat.of().toHexDigits(mix(number));
  }

  /** Arrivals of the identifier with number 0 only. */
  public static String[] single() {
    return named(new int[SINGLE_ARRIVALS]);
  }

  public static String[] uniform(int keys) {
    SplittableRandom random = new SplittableRandom(SEED);
    return named(random.ints(arrivals(keys), 0, keys).toArray());
  }

  public static String[] zipf(int keys) {
    return zipf(keys, arrivals(keys));
  }

  public static String[] zipf(int keys, int arrivals) {
    return named(zipfNumbers(keys, arrivals));
  }

  /** Draws numbers; the one with rank r has a share in proportion to 1 / r^0.99. */
  static int[] zipfNumbers(int keys, int count) {
    double[] cumulated = new double[keys];
    double sum = 0;
    for (int rank = 1; rank <= keys; rank++) {
      sum += Math.pow(rank, -ZIPF_EXPONENT);
      cumulated[rank - 1] = sum;
    }
    SplittableRandom random = new SplittableRandom(SEED);
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      int found = Arrays.binarySearch(cumulated, random.nextDouble() * sum);
      numbers[i] = numberOfRank(Math.min(keys - 1, found < 0 ? -found - 1 : found), keys);
    }
    return numbers;
  }

  /**
   * The number of the identifier with this rank. Ranks are scattered, so that the busiest
   * identifiers were not stored first and do not lie together in memory.
   */
  public static int numberOfRank(int rank, int keys) {
    return (int) (rank * SCATTER % keys);
  }

  /** About the number of keys, and a power of two. */
  private static int arrivals(int keys) {
    return Integer.highestOneBit(2 * keys);
  }

  private static String[] named(int[] numbers) {
    String[] identifiers = new String[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      identifiers[i] = identifier(numbers[i]);
      int unused = identifiers[i].hashCode(); // cached in the string, so that all passes are alike
    }
    return identifiers;
  }

  /** Mixes the bits, so that hash codes vary like those of real identifiers; a bijection. */
  private static long mix(long number) {
    long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
