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
 * <p>What a series is like, its number alone decides, and of every 2,000 in a row just as many are
 * of each kind as should be: so the first of them are a sample of all. Where and when it asks is
 * drawn.
 */
final class FleetTraffic {

  static final int WINDOW_MILLIS = 60_000;

  /** The least number in which each kind of series comes up as often as it should. */
  static final int DEAL = 2_000;

  /** Coprime to it: reorders the numbers without losing any. */
  private static final int SCATTER = 1_237;

  /**
   * A series that is used in several regions is used in so many at most, however many there are.
   */
  private static final int MOST_REGIONS = 10;

  private static final int MOST_OF_QUIET = 8;

  /** Fractions of its multiples lie as evenly as can be, however many there are. */
  private static final double GOLDEN = 0.6180339887498949;

  private static final Scope SCOPE = new Scope("acme", "requests", WINDOW_MILLIS);

  private final FleetSize shape;
  private final LimitRequest[] ofSeries;
  private final int[] askedPerWindow;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final BitSet shared = new BitSet();
  private final long[] requests;

  /** The requests of the first so many series of a shape. */
  FleetTraffic(FleetSize shape, int series, long seed) {
    this.shape = shape;
    this.ofSeries = new LimitRequest[series];
    this.askedPerWindow = new int[series];
    Map<Kind, Integer> known = new HashMap<>();
    long[] drawn = new long[series * 32];
    int count = 0;
    for (int i = 0; i < series; i++) {
      Kind kind = Kind.of(i);
      Fraction fraction = new Fraction(known.merge(kind, 1, Integer::sum) - 1);
      int regions = kind.shared ? 2 + fraction.oneOf(MOST_REGIONS - 1) : 1;
      int limit = kind.limit;
      int asked =
          kind.hot ? (int) (limit * (0.5 + fraction.rest)) : 1 + fraction.oneOf(MOST_OF_QUIET);
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

  /** What a series is like: one in ten is hot, one in twenty shared, limits are mixed. */
  private record Kind(boolean hot, int limit, boolean shared) {

    static Kind of(int number) {
      int card = number % DEAL * SCATTER % DEAL;
      int ofLimits = card / 10 % 10;
      return new Kind(
          card % 10 == 0, ofLimits < 2 ? 20 : ofLimits < 9 ? 100 : 1_000, card / 100 % 20 == 0);
    }
  }

  /**
   * A number between 0 and 1 by which the series of one kind differ: that of the first is in the
   * middle, and those of the first few are far from each other.
   */
  private static final class Fraction {

    private double rest;

    Fraction(int number) {
      double product = 0.5 + number * GOLDEN;
      this.rest = product - Math.floor(product);
    }

    /** Which of so many equal parts it is in; what is left says where in it. */
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
