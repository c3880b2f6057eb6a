package io.tidegate.simulator.fleet;

import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * The requests of one window, which repeat in every window: the traffic that {@code ./tidegate
 * bench global} sends to a real database.
 *
 * <p>One in ten series is hot and requests 0.5 to 1.5 times its limit per window. The others
 * request one to eight tokens. One in twenty is used in two to ten regions, the others in one.
 * Requests are evenly spread over the window, each at a random node of a region of its series.
 *
 * <p>The number of a series determines its kind, and every 2,000 consecutive series have the exact
 * mix of kinds. The first series of a fleet are therefore a sample of all. Places and times of the
 * requests are drawn at random.
 */
final class FleetTraffic {

  static final int WINDOW_MILLIS = 60_000;

  /** Number of consecutive series that have the exact mix of kinds. */
  static final int MIX = 2_000;

  /** Coprime to {@link #MIX}: scatters the kinds over the numbers. */
  private static final int SCATTER = 1_237;

  /** Maximum number of regions of a series, in fleets of any size. */
  private static final int MAX_REGIONS = 10;

  private static final Scope SCOPE = new Scope("acme", "requests", WINDOW_MILLIS);

  private final FleetSize size;
  private final LimitRequest[] ofSeries;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final BitSet shared = new BitSet();
  private long[] requests;
  private int count;

  /** The requests for the first series of a fleet. */
  FleetTraffic(FleetSize size, int series, long seed) {
    this.size = size;
    this.ofSeries = new LimitRequest[series];
    this.requests = new long[series * 32];
    Map<Kind, Integer> seen = new HashMap<>();
    for (int i = 0; i < series; i++) {
      Kind kind = Kind.of(i);
      // Between 0 and 1, for the series of one kind: multiples of the golden ratio are evenly
      // distributed for any number of them, and the first one is in the middle.
      double fraction = (0.5 + (seen.merge(kind, 1, Integer::sum) - 1) * 0.6180339887498949) % 1;
      int regions = 1;
      if (kind.shared) {
        regions = 2 + (int) (fraction * (MAX_REGIONS - 1));
        fraction = fraction * (MAX_REGIONS - 1) % 1;
      }
      int perWindow = kind.hot ? (int) (kind.limit * (0.5 + fraction)) : 1 + (int) (fraction * 8);
      ofSeries[i] = new LimitRequest(SCOPE, identifier(i), kind.limit, 1);
      numbers.put(ofSeries[i].identifier(), i);
      draw(i, perWindow, regions, new SplittableRandom(seed * 0x9E3779B97F4A7C15L + mix(i)));
    }
    this.requests = Arrays.copyOf(requests, count);
    Arrays.sort(requests);
  }

  private void draw(int series, int perWindow, int regions, SplittableRandom random) {
    int firstRegion = random.nextInt(size.regions());
    double phase = random.nextDouble();
    if (count + perWindow > requests.length) {
      requests = Arrays.copyOf(requests, 2 * requests.length);
    }
    int regionOfFirst = -1;
    for (int i = 0; i < perWindow; i++) {
      int region = (firstRegion + random.nextInt(regions)) % size.regions();
      int node = size.nodeOf(region, random.nextInt(size.nodesOf(region)));
      int offsetMicros = (int) ((phase + i) / perWindow * WINDOW_MILLIS * 1_000);
      requests[count++] = request(offsetMicros, node, series);
      regionOfFirst = i == 0 ? region : regionOfFirst;
      if (region != regionOfFirst) {
        shared.set(series);
      }
    }
  }

  private record Kind(boolean hot, int limit, boolean shared) {

    static Kind of(int number) {
      int card = number % MIX * SCATTER % MIX;
      int ofLimits = card / 10 % 10;
      return new Kind(
          card % 10 == 0, ofLimits < 2 ? 20 : ofLimits < 9 ? 100 : 1_000, card / 100 % 20 == 0);
    }
  }

  /** An identifier of 24 characters. */
  static String identifier(int number) {
    return "account-" + HexFormat.of().toHexDigits(mix(number));
  }

  private static long mix(long number) {
    long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  /** Packs a request into one number: compact, and sorted by time as a number. */
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

  LimitRequest ofSeries(int series) {
    return ofSeries[series];
  }

  int numberOf(String identifier) {
    return Objects.requireNonNull(numbers.get(identifier));
  }

  /** Whether a series is used in several regions. */
  boolean isShared(int series) {
    return shared.get(series);
  }

  /** Mean number of series that a node receives requests for. */
  double seriesPerNode() {
    BitSet pairs = new BitSet();
    for (long request : requests) {
      pairs.set(Math.toIntExact((long) node(request) * ofSeries.length + series(request)));
    }
    return (double) pairs.cardinality() / size.nodes();
  }
}
