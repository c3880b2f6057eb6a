package io.tidegate.simulator.common;

import io.tidegate.model.Decision;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The exact counts of one series over all regions, as a single perfect counter would have them:
 * tokens per cell, and tokens within the last window length.
 */
public final class AdmissionLedger {

  private final long windowMillis;
  private final long resolutionNanos;
  private final Map<Long, Long> totals = new HashMap<>();

  /** Times and costs of the admissions within the last window length, as a ring buffer. */
  private long[] times = new long[16];

  private long[] costs = new long[16];
  private int first;
  private int size;
  private long trailing;

  /**
   * Creates an empty ledger.
   *
   * @param resolutionNanos precision of admission times. Where requests repeat every window, a
   *     precision coarser than the network delay keeps a request from counting twice
   */
  public AdmissionLedger(long windowMillis, long resolutionNanos) {
    this.windowMillis = windowMillis;
    this.resolutionNanos = resolutionNanos;
  }

  /** Counts an allowed request; returns the tokens admitted within the last window length. */
  public long admit(Decision decision, long cost, long nowNanos) {
    totals.merge(sequence(decision), cost, Long::sum);
    long now = nowNanos / resolutionNanos;
    long oldest = now - windowMillis * 1_000_000 / resolutionNanos;
    while (size > 0 && times[first] <= oldest) {
      trailing -= costs[first];
      first = (first + 1) % times.length;
      size--;
    }
    if (size == times.length) {
      grow();
    }
    int last = (first + size++) % times.length;
    times[last] = now;
    costs[last] = cost;
    trailing += cost;
    return trailing;
  }

  private void grow() {
    times = unrolled(times);
    costs = unrolled(costs);
    first = 0;
  }

  private long[] unrolled(long[] ring) {
    long[] grown = Arrays.copyOfRange(ring, first, first + 2 * ring.length);
    System.arraycopy(ring, 0, grown, ring.length - first, first);
    return grown;
  }

  /**
   * Whether a perfect counter would have allowed a denied request.
   *
   * @param requestMillis time of the request
   */
  public boolean isWronglyDenied(Decision decision, long cost, long requestMillis) {
    long sequence = sequence(decision);
    long overlap = Math.min(windowMillis, (sequence + 1) * windowMillis - requestMillis);
    long effective = total(sequence) + total(sequence - 1) * overlap / windowMillis;
    return effective + cost <= decision.limit();
  }

  /** The sequence of the cell in which a decision was made. */
  public long sequence(Decision decision) {
    return Math.floorDiv(decision.resetAtMillis() - 1, windowMillis);
  }

  private long total(long sequence) {
    return totals.getOrDefault(sequence, 0L);
  }
}
