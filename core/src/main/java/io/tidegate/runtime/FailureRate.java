package io.tidegate.runtime;

import java.util.Arrays;

/**
 * The share of recent calls that failed, as judged by a {@link CircuitBreaker}. Not thread-safe:
 * the breaker guards it.
 */
interface FailureRate {

  /**
   * From this share on, a rate is too high: a further call would rather cost a timeout than return
   * an answer.
   */
  int TOO_HIGH_PERCENT = 50;

  /**
   * Records the outcome of one call.
   *
   * @return whether the rate is too high
   */
  boolean record(boolean failed, long nowNanos);

  /** Discards all outcomes. */
  void clear();

  /** Judges the last calls, whatever their age: for calls that are made one at a time. */
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
   * Judges the calls of the last seconds, including the current one: for frequent calls.
   *
   * @param seconds the length of the period
   * @param minCalls the number of calls below which the rate is never too high
   */
  static FailureRate ofLastSeconds(int seconds, int minCalls) {
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
        return allCalls >= minCalls && isTooHigh(allFailures, allCalls);
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
