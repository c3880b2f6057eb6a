package io.tidegate.simulator.common;

import io.tidegate.model.Decision;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The exact counts of one series over all regions, as a single perfect counter would have them:
 * tokens per cell, and tokens within the last window length.
 */
public final class AdmissionLedger {

  private record Admission(long time, long cost) {}

  private final long windowMillis;
  private final long resolutionNanos;
  private final Map<Long, Long> totals = new HashMap<>();
  private final Deque<Admission> lastWindow = new ArrayDeque<>();
  private long trailing;

  /**
   * Creates an empty ledger. Where requests repeat every window, a resolution of admission times
   * coarser than the network delay keeps a request from counting twice.
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
    while (!lastWindow.isEmpty() && lastWindow.element().time <= oldest) {
      trailing -= lastWindow.remove().cost;
    }
    lastWindow.add(new Admission(now, cost));
    trailing += cost;
    return trailing;
  }

  /** Whether a perfect counter would have allowed a denied request. */
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
