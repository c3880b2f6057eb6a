package io.tidegate.simulator.fleet;

import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Who asks which node in the course of a window, the same in every window: the traffic that the
 * database is measured with ({@code ./tidegate bench global}).
 *
 * <p>One in ten series is hot: it asks for 0.5 to 1.5 times its limit in a window. The others ask 1
 * to 8 times. One in twenty is used in 2 to 10 regions, the others in one. Requests come evenly
 * over the window, each at a random node of its region, or of one of its regions.
 *
 * <p>What a series is like, its number alone decides, and any so many in a row have the same mix as
 * all: so the first of them are a sample of all.
 */
final class Traffic {

  static final int WINDOW_MILLIS = 60_000;

  private static final double HOT = 0.1;
  private static final double SHARED = 0.05;

  /**
   * A series that is used in several regions is used in so many at most, however many there are.
   */
  private static final int MOST_REGIONS = 10;

  private static final int MOST_OF_QUIET = 8;

  /** Fractions of its multiples lie as evenly as can be, wherever one begins and ends. */
  private static final double GOLDEN = 0.6180339887498949;

  private static final Scope SCOPE = new Scope("acme", "requests", WINDOW_MILLIS);

  private final Shape shape;
  private final LimitRequest[] ofSeries;
  private final int[] askedPerWindow;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final BitSet shared = new BitSet();
  private final long[] requests;

  /** The requests of the first so many series of a shape. */
  Traffic(Shape shape, int series, long seed) {
    this.shape = shape;
    this.ofSeries = new LimitRequest[series];
    this.askedPerWindow = new int[series];
    long[] drawn = new long[series * 32];
    int count = 0;
    for (int i = 0; i < series; i++) {
      Digits digits = new Digits(i);
      boolean hot = digits.isWithin(HOT);
      int limit = digits.isWithin(0.1) ? 1_000 : digits.isWithin(0.2 / 0.9) ? 20 : 100;
      boolean several = digits.isWithin(SHARED);
      int regions = several ? 2 + digits.oneOf(MOST_REGIONS - 1) : 1;
      int asked = hot ? (int) (limit * (0.5 + digits.rest)) : 1 + digits.oneOf(MOST_OF_QUIET);
      SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + mix(i));
      int firstRegion = random.nextInt(shape.regions());
      double phase = random.nextDouble();
      ofSeries[i] = new LimitRequest(SCOPE, identifier(i), limit, 1);
      numbers.put(ofSeries[i].identifier(), i);
      askedPerWindow[i] = asked;
      if (count + asked > drawn.length) {
        drawn = Arrays.copyOf(drawn, 2 * drawn.length);
      }
      int firstNode = -1;
      for (int j = 0; j < asked; j++) {
        int region = (firstRegion + random.nextInt(regions)) % shape.regions();
        int node = shape.nodeOf(region, random.nextInt(shape.nodesOf(region)));
        int offsetMicros = (int) ((phase + j) / asked * WINDOW_MILLIS * 1_000);
        drawn[count++] = request(offsetMicros, node, i);
        if (firstNode < 0) {
          firstNode = node;
        } else if (shape.regionOf(firstNode) != region) {
          shared.set(i);
        }
      }
    }
    this.requests = Arrays.copyOf(drawn, count);
    Arrays.sort(requests);
  }

  /** A number between 0 and 1 that is asked one question after the other. */
  private static final class Digits {

    private double rest;

    Digits(int number) {
      double product = number * GOLDEN;
      this.rest = product - Math.floor(product);
    }

    /** Whether it is in the first part; what is asked next does not depend on it. */
    boolean isWithin(double part) {
      boolean within = rest < part;
      rest = within ? rest / part : (rest - part) / (1 - part);
      return within;
    }

    /** Which of so many equal parts it is in. */
    int oneOf(int parts) {
      int part = (int) (rest * parts);
      rest = rest * parts - part;
      return part;
    }
  }

  /** 24 characters. */
  static String identifier(int number) {
    return "account-" + HexFormat.of().toHexDigits(mix(number));
  }

  private static long mix(long number) {
    long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  /** In one number, so that millions of them are small and quickly sorted by time. */
  private static long request(int offsetMicros, int node, int series) {
    return (long) offsetMicros << 36 | (long) node << 24 | series;
  }

  static long offsetNanos(long request) {
    return (request >>> 36) * 1_000;
  }

  static int node(long request) {
    return (int) (request >>> 24 & 0xfff);
  }

  static int series(long request) {
    return (int) (request & 0xffffff);
  }

  /** The requests of a window by time. */
  long[] requests() {
    return requests;
  }

  int seriesCount() {
    return ofSeries.length;
  }

  LimitRequest ofSeries(int series) {
    return ofSeries[series];
  }

  /** The number of a series, by its identifier. */
  int numberOf(String identifier) {
    return numbers.get(identifier);
  }

  /** How often a series is asked for in a window. */
  int askedPerWindow(int series) {
    return askedPerWindow[series];
  }

  /** Whether a series is asked for in several regions. */
  boolean isShared(int series) {
    return shared.get(series);
  }

  /** How many series each node is asked for, on average. */
  double seriesPerNode() {
    BitSet known = new BitSet();
    for (long request : requests) {
      known.set(Math.toIntExact((long) node(request) * ofSeries.length + series(request)));
    }
    return (double) known.cardinality() / shape.nodes();
  }
}
