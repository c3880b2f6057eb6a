package io.tidegate.benchmarks.soak;

import io.tidegate.benchmarks.load.Processors;

/**
 * Extent of a run.
 *
 * @param pinned whether the server has a processor of its own, and everything else another
 * @param seconds length of the load
 * @param rowSeconds length of the intervals that are reported
 * @param perSecond request rate; 0 for {@link #LOAD_PERCENT} of the measured maximum
 * @param identifiers identifiers in use at a time
 * @param lifetimeSeconds how long an identifier is in use
 * @param maximumMillis length of the closed loop that measures the maximum, and of its warm-up
 * @param outageSeconds how long a store is down
 * @param idleSeconds how long the server is observed after the load
 */
record Settings(
    boolean quick,
    boolean pinned,
    int seconds,
    int rowSeconds,
    double perSecond,
    int identifiers,
    int lifetimeSeconds,
    int maximumMillis,
    int outageSeconds,
    int idleSeconds) {

  static final int LOAD_PERCENT = 60;

  /**
   * Intervals in which the load rises in equal steps. The server begins without a series, so the
   * first request of every identifier waits for Redis; at full load that would be all requests.
   */
  private static final int RISING_ROWS = 5;

  /** Tenants, each with a window so long that all counts are in Redis in the end. */
  static final int TENANTS = 10_000;

  /** Connections of the closed loop that measures the maximum, as in {@code bench http}. */
  static final int CLOSED_CONNECTIONS = 64;

  /** Fewest connections of the clients' pools. */
  private static final int MIN_POOL = 100;

  /** Below the server's default maximum of 10,000. */
  private static final int MAX_POOL = 8_000;

  /** Leaves the processor to Redis and MariaDB while nothing is due. */
  static final long PAUSE_NANOS = 100_000;

  static final int SAMPLE_SECONDS = 5;

  /**
   * A full run uses 400,000 identifiers for five minutes each. The server forgets them some minutes
   * later, so it holds about 0.7 million series. After the load, series expire within three and a
   * half minutes, and the collector returns memory once a minute, in several steps.
   */
  static Settings of(boolean quick, int minutes, double perSecond, boolean pinned) {
    return quick
        ? new Settings(true, pinned, minutes * 60, 10, perSecond, 20_000, 30, 5_000, 2, 10)
        : new Settings(false, pinned, minutes * 60, 60, perSecond, 400_000, 300, 15_000, 5, 480);
  }

  int eventLoops() {
    return Processors.ofServer(pinned);
  }

  /**
   * Load in the interval that begins at a second, as a part of the full one. A short run rises over
   * half of its intervals.
   */
  double loadAt(int second) {
    int rising = Math.max(1, Math.min(RISING_ROWS, seconds / rowSeconds / 2));
    int row = second / rowSeconds;
    return Math.min(1, (row + 1.0) / rising);
  }

  /**
   * Connections of the clients' pools: enough for every request to take half a second. When Redis
   * comes back, all counts are out of date, and most requests wait for it, up to 300 ms.
   */
  static int connections(double perSecond) {
    return (int) Math.max(MIN_POOL, Math.min(MAX_POOL, perSecond / 2));
  }

  /** Identifiers that are replaced by new ones per second. */
  double newPerSecond() {
    return (double) identifiers / lifetimeSeconds;
  }
}
