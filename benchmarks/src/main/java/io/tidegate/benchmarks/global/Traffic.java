package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.load.Identifiers;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * The requests of a window, the same in every window and run.
 *
 * <p>One in ten series is hot and has 0.5 to 1.5 times its limit of requests per window; the others
 * have 1 to 8 requests. One in twenty is used in 2 to 10 regions, the others in one. Requests are
 * evenly spread over the window, each at a random node of a random region of its series.
 *
 * <p>Limits are mixed because policies go by fractions of them: eight requests are a small share of
 * 1000 and a large one of 20.
 */
final class Traffic {

  private static final double HOT = 0.1;
  private static final double SHARED = 0.05;
  private static final int MOST_REQUESTS_OF_QUIET = 8;
  private static final long SEED = 42;

  final int windowMillis;
  private final String[] identifiers;
  private final int[] limits;
  private final long[] requests;

  /** Draws the requests of this many series. */
  Traffic(int series, int windowMillis) {
    SplittableRandom random = new SplittableRandom(SEED);
    this.windowMillis = windowMillis;
    this.identifiers = new String[series];
    this.limits = new int[series];
    LongStream.Builder drawn = LongStream.builder();
    for (int i = 0; i < series; i++) {
      identifiers[i] = Identifiers.identifier(i);
      limits[i] = drawLimit(random);
      int requested = drawRequests(random, limits[i]);
      int firstRegion = random.nextInt(Fleet.REGIONS);
      int regions = random.nextDouble() < SHARED ? random.nextInt(2, Fleet.REGIONS + 1) : 1;
      double phase = random.nextDouble();
      for (int j = 0; j < requested; j++) {
        int region = (firstRegion + random.nextInt(regions)) % Fleet.REGIONS;
        int node = Fleet.nodeOf(region, random.nextInt(Fleet.nodesOf(region)));
        int offset = (int) ((phase + j) / requested * windowMillis);
        drawn.add(request(offset, node, i));
      }
    }
    this.requests = drawn.build().sorted().toArray();
  }

  private static int drawLimit(SplittableRandom random) {
    double draw = random.nextDouble();
    return draw < 0.2 ? 20 : draw < 0.9 ? 100 : 1_000;
  }

  private static int drawRequests(SplittableRandom random, int limit) {
    return random.nextDouble() < HOT
        ? (int) (limit * random.nextDouble(0.5, 1.5))
        : random.nextInt(1, MOST_REQUESTS_OF_QUIET + 1);
  }

  /** Packs a request into a number, so that millions are small and sort quickly by time. */
  private static long request(int offsetMillis, int node, int series) {
    return (long) offsetMillis << 40 | (long) node << 32 | series;
  }

  static int offsetMillis(long request) {
    return (int) (request >>> 40);
  }

  static int node(long request) {
    return (int) (request >>> 32 & 0xff);
  }

  static int series(long request) {
    return (int) request;
  }

  /** The requests of a window in order of time, of every n-th node. */
  long[] requests(int part, int parts) {
    return Arrays.stream(requests)
        .filter(request -> node(request) % parts == part)
        .toArray();
  }

  int requestsPerWindow() {
    return requests.length;
  }

  void send(Fleet fleet, long request) {
    int series = series(request);
    fleet.node(node(request)).gate.take(identifiers[series], limits[series], 1);
  }
}
