package io.tidegate.simulator.overshoot;

import io.tidegate.model.Decision;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** What was accepted anywhere, all of which no node knows: the truth that decisions are held to. */
final class Ledger {

  private record Accepted(long nanos, long cost) {}

  /**
   * How decisions were.
   *
   * @param asked how many there were
   * @param denied how many of them were denials
   * @param wronglyDenied how many of these one counter for all would have allowed
   * @param worst the most that was accepted in any time of a window's length, by the limit
   * @param mean the same for each window, on average
   */
  record Admission(long asked, long denied, long wronglyDenied, double worst, double mean) {}

  private final long limit;
  private final long windowNanos;
  private final long beginNanos;
  private final Map<Long, Long> totals = new HashMap<>();
  private final Deque<Accepted> trailing = new ArrayDeque<>();
  private final long[] most;
  private long trailingTotal;
  private long asked;
  private long denied;
  private long wronglyDenied;

  Ledger(RequestSchedule plan) {
    this.limit = plan.limit();
    this.windowNanos = plan.windowNanos();
    this.beginNanos = plan.begin();
    this.most = new long[plan.windows()];
  }

  /** What was accepted in a cell. */
  long total(long sequence) {
    return totals.getOrDefault(sequence, 0L);
  }

  /**
   * Takes note of a decision.
   *
   * @param nowNanos when it was made
   * @param askedMillis when it was asked for, by which it is made
   * @param cost for how much
   * @param decision the decision
   */
  void note(long nowNanos, long askedMillis, long cost, Decision decision) {
    asked++;
    long sequence = sequence(decision);
    if (decision.allowed()) {
      totals.merge(sequence, cost, Long::sum);
      accept(nowNanos, cost);
    } else {
      denied++;
      if (trueEffective(sequence, askedMillis) + cost <= limit) {
        wronglyDenied++;
      }
    }
  }

  /** The cell that a decision was made in. */
  long sequence(Decision decision) {
    return Math.floorDiv(decision.resetAtMillis() - 1, windowMillis());
  }

  /** As a node would count it that knows everything. Rounded down, as nodes do. */
  private long trueEffective(long sequence, long askedMillis) {
    long overlap = Math.min(windowMillis(), (sequence + 1) * windowMillis() - askedMillis);
    return total(sequence) + total(sequence - 1) * overlap / windowMillis();
  }

  private long windowMillis() {
    return windowNanos / 1_000_000;
  }

  private void accept(long nowNanos, long cost) {
    trailing.addLast(new Accepted(nowNanos, cost));
    trailingTotal += cost;
    while (trailing.peekFirst().nanos <= nowNanos - windowNanos) {
      trailingTotal -= trailing.removeFirst().cost;
    }
    long window = Math.min((nowNanos - beginNanos) / windowNanos, most.length - 1);
    most[(int) window] = Math.max(most[(int) window], trailingTotal);
  }

  Admission admission() {
    return new Admission(
        asked,
        denied,
        wronglyDenied,
        Arrays.stream(most).max().orElseThrow() / (double) limit,
        Arrays.stream(most).average().orElseThrow() / limit);
  }
}
