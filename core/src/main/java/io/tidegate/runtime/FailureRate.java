package io.tidegate.runtime;

import java.util.Arrays;

/**
 * Share of recent calls that failed, as a {@link CircuitBreaker} judges it. Not thread-safe: the
 * breaker guards it.
 */
interface FailureRate {

  /** From this share on, a failure rate is too high. */
  int TOO_HIGH_PERCENT = 50;

  /**
   * Records the outcome of one call.
   *
   * @return whether the rate is too high now
   */
  boolean record(boolean failed, long nowNanos);

  /** Forgets all outcomes. */
  void clear();

  /** The last calls, whenever they were made: for calls of which there is one at a time. */
  static FailureRate ofLastCalls(int calls) {
    return new FailureRate() {
      private final boolean[] failures = new boolean[calls];
      private long recorded;

      @Override
      public boolean record(boolean failed, long nowNanos) {
        failures[(int) (recorded++ % calls)] = failed;
        int failedCalls = 0;
        for (boolean failure : failures) {
          failedCalls += failure ? 1 : 0;
        }
        return recorded >= calls && isTooHigh(failedCalls, calls);
      }

      @Override
      public void clear() {
        recorded = 0;
        Arrays.fill(failures, false);
      }
    };
  }

  /**
   * The calls of the last seconds, the present one included: for calls of which there may be many.
   *
   * @param seconds how many seconds count
   * @param fewestCalls how many calls are needed to judge
   */
  static FailureRate ofLastSeconds(int seconds, int fewestCalls) {
    return new FailureRate() {
      private final long[] second = new long[seconds];
      private final long[] calls = new long[seconds];
      private final long[] failures = new long[seconds];

      @Override
      public boolean record(boolean failed, long nowNanos) {
        long now = Math.floorDiv(nowNanos, 1_000_000_000L);
        int slot = (int) Math.floorMod(now, (long) seconds);
        if (second[slot] != now) {
          second[slot] = now;
          calls[slot] = 0;
          failures[slot] = 0;
        }
        calls[slot]++;
        failures[slot] += failed ? 1 : 0;
        long allCalls = 0;
        long allFailures = 0;
        for (int i = 0; i < seconds; i++) {
          boolean counts = second[i] > now - seconds && second[i] <= now;
          allCalls += counts ? calls[i] : 0;
          allFailures += counts ? failures[i] : 0;
        }
        return allCalls >= fewestCalls && isTooHigh(allFailures, allCalls);
      }

      @Override
      public void clear() {
        Arrays.fill(calls, 0);
        Arrays.fill(failures, 0);
      }
    };
  }

  private static boolean isTooHigh(long failures, long calls) {
    return failures * 100 >= calls * TOO_HIGH_PERCENT;
  }
}
