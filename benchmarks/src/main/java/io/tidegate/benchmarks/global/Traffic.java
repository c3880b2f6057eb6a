package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.Threads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
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

  private final int windowMillis;
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
        int node = Fleet.randomNode(region, random);
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

  /** Sends the requests to a fleet when they are due, until closed. */
  final class Driver implements AutoCloseable {

    /** Enough for requests of a few microseconds each. */
    private static final int THREADS = 2;

    private final Fleet fleet;
    private final LongAdder decisions = new LongAdder();
    private final AtomicLong latestMillis = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    Driver(Fleet fleet) {
      this.fleet = fleet;
      for (int part = 0; part < THREADS; part++) {
        long[] requests = requests(part, THREADS);
        threads.add(Threads.daemon("driver", () -> drive(requests)));
      }
      threads.forEach(Thread::start);
    }

    /** Returns the requests since the last call, and their highest delay. */
    Sent take() {
      return new Sent(decisions.sumThenReset(), latestMillis.getAndSet(0));
    }

    private void drive(long[] requests) {
      long now = System.currentTimeMillis();
      long start = now - now % windowMillis;
      int position = 0;
      while (position < requests.length && start + offsetMillis(requests[position]) < now) {
        position++;
      }
      while (!stopped) {
        if (position == requests.length) {
          position = 0;
          start += windowMillis;
        }
        long due = start + offsetMillis(requests[position]);
        if (due > now) {
          Threads.sleep(1);
          now = System.currentTimeMillis();
        } else {
          latestMillis.accumulateAndGet(now - due, Math::max);
          send(requests[position++]);
          decisions.increment();
        }
      }
    }

    private void send(long request) {
      int series = series(request);
      fleet.node(node(request)).gate.take(identifiers[series], limits[series], 1);
    }

    @Override
    public void close() {
      stopped = true;
      Threads.join(threads);
    }
  }

  record Sent(long decisions, long latestMillis) {}
}
