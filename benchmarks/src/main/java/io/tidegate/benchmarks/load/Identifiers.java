package io.tidegate.benchmarks;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;

/**
 * Who asks, and in which order. The same for every competitor, fork and run.
 *
 * <p>An order of arrival is drawn beforehand, so that drawing it is not measured. Each arrival has
 * a string of its own, as a caller has that has just read a request; no limiter has stored that
 * very object.
 */
final class Identifiers {

  /** How unevenly identifiers are asked for: the exponent of the usual web and cache traces. */
  static final double ZIPF_EXPONENT = 0.99;

  /** A few objects that all stay in the first-level cache, for a single identifier. */
  private static final int SINGLE_ARRIVALS = 64;

  private static final long SEED = 42;

  /**
   * Prime, and no divisor of a power of ten: multiplying by it reorders the keys without losing
   * any.
   */
  private static final long SCATTER = 7_368_787;

  private Identifiers() {}

  /** The identifier with this number, 24 characters: a new object at each call. */
  static String identifier(int number) {
    return "account-" + HexFormat.of().toHexDigits(mix(number));
  }

  /** The identifier with number 0, again and again. */
  static String[] single() {
    return named(new int[SINGLE_ARRIVALS]);
  }

  static String[] uniform(int keys) {
    SplittableRandom random = new SplittableRandom(SEED);
    return named(random.ints(arrivals(keys), 0, keys).toArray());
  }

  static String[] zipf(int keys) {
    return zipf(keys, arrivals(keys));
  }

  static String[] zipf(int keys, int arrivals) {
    return named(zipfNumbers(keys, arrivals));
  }

  /** Numbers of which the one with rank r comes up in proportion to 1 / r^0.99. */
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
   * Scattered, so that the busiest identifiers are not those that were stored first and lie
   * together in memory.
   */
  static int numberOfRank(int rank, int keys) {
    return (int) (rank * SCATTER % keys);
  }

  /**
   * About as many as there are keys, and a power of two: the strings pass by, the keys are what
   * fills the caches.
   */
  private static int arrivals(int keys) {
    return Integer.highestOneBit(2 * keys);
  }

  private static String[] named(int[] numbers) {
    return Arrays.stream(numbers).mapToObj(Identifiers::hashedIdentifier).toArray(String[]::new);
  }

  /**
   * A string keeps its hash code: without it the first pass over the arrivals would differ from
   * those after it.
   */
  private static String hashedIdentifier(int number) {
    String identifier = identifier(number);
    identifier.hashCode();
    return identifier;
  }

  /** Makes hash codes as arbitrary as those of real identifiers; no two numbers give the same. */
  private static long mix(long number) {
    long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
