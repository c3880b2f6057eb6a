package io.tidegate.benchmarks;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Who asks which node in the course of a window, the same in every window and run.
 *
 * <p>One in ten series is hot: it asks for 0.5 to 1.5 times its limit in a window. The others ask 1
 * to 8 times. One in twenty is used in 2 to 10 regions, the others in one. Requests come evenly
 * over the window, each at a random node of its region, or of one of its regions.
 *
 * <p>Limits are mixed because the policies go by fractions of them: a handful of requests is
 * nothing of 1000, and nearly half of 20.
 */
final class GlobalTraffic {

  private static final double HOT = 0.1;
  private static final double SHARED = 0.05;
  private static final int MOST_OF_QUIET = 8;
  private static final long SEED = 42;

  private final int windowMillis;
  private final String[] identifiers;
  private final int[] limits;
  private final long[] requests;

  /** Requests of so many series in a window. */
  GlobalTraffic(int series, int windowMillis) {
    SplittableRandom random = new SplittableRandom(SEED);
    this.windowMillis = windowMillis;
    this.identifiers = new String[series];
    this.limits = new int[series];
    long[] drawn = new long[series * 32];
    int count = 0;
    for (int i = 0; i < series; i++) {
      identifiers[i] = Identifiers.identifier(i);
      limits[i] = drawLimit(random);
      int asked = drawRequests(random, limits[i]);
      int firstRegion = random.nextInt(GlobalFleet.REGIONS);
      int regions = random.nextDouble() < SHARED ? random.nextInt(2, GlobalFleet.REGIONS + 1) : 1;
      double phase = random.nextDouble();
      if (count + asked > drawn.length) {
        drawn = Arrays.copyOf(drawn, 2 * drawn.length);
      }
      for (int j = 0; j < asked; j++) {
        int region = (firstRegion + random.nextInt(regions)) % GlobalFleet.REGIONS;
        int node = GlobalFleet.nodeOf(region, random.nextInt(GlobalFleet.nodesOf(region)));
        int offset = (int) ((phase + j) / asked * windowMillis);
        drawn[count++] = request(offset, node, i);
      }
    }
    this.requests = Arrays.copyOf(drawn, count);
    Arrays.sort(requests);
  }

  private static int drawLimit(SplittableRandom random) {
    double draw = random.nextDouble();
    return draw < 0.2 ? 20 : draw < 0.9 ? 100 : 1_000;
  }

  private static int drawRequests(SplittableRandom random, int limit) {
    return random.nextDouble() < HOT
        ? (int) (limit * random.nextDouble(0.5, 1.5))
        : random.nextInt(1, MOST_OF_QUIET + 1);
  }

  /** In one number, so that millions of them are small and quickly sorted by time. */
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

  int windowMillis() {
    return windowMillis;
  }

  /** The requests of a window by time, those of every n-th node. */
  long[] requests(int part, int parts) {
    return Arrays.stream(requests)
        .filter(request -> node(request) % parts == part)
        .toArray();
  }

  int requestsPerWindow() {
    return requests.length;
  }

  boolean ask(GlobalFleet fleet, long request) {
    int series = series(request);
    return fleet.node(node(request)).take(identifiers[series], limits[series]);
  }
}
