package io.tidegate.simulator.chaos;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Series;
import io.tidegate.simulator.world.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One or several requests that a node was asked for together, and what was known when it was.
 *
 * @param node who was asked
 * @param entries what for
 * @param nowMillis the node's time then
 * @param nanos the world's
 */
record ObservedRequest(Node node, List<Entry> entries, long nowMillis, long nanos) {

  /**
   * One of the requests.
   *
   * @param request what is asked for
   * @param charge its cost, and those before it on the same series
   * @param life which life of the series it was, in the node's memory
   * @param strict whether the series was in strict mode
   * @param unreadable whether a read of the series had failed less than a second ago
   */
  record Entry(LimitRequest request, long charge, int life, boolean strict, boolean unreadable) {

    Series series() {
      return new Series(request.scope(), request.identifier());
    }
  }

  /**
   * An answer to one of the requests.
   *
   * @param request all that was asked for together
   * @param entry the one that is answered
   * @param decision the answer
   * @param taken whether the costs of all were taken
   * @param leastKnown what the node had to know of the series, at least
   */
  record Answer(
      ObservedRequest request, Entry entry, Decision decision, boolean taken, long leastKnown) {

    /** What was taken of the series by all requests together. */
    long takenOfSeries() {
      return taken
          ? request.entries().stream()
              .filter(other -> other.series().equals(entry.series()))
              .mapToLong(other -> other.request().cost())
              .sum()
          : 0;
    }

    long startMillis() {
      return decision.resetAtMillis() - entry.request().scope().windowMillis();
    }

    /**
     * What the node knew of, without what is asked for: nothing was charged for what passed in
     * vain.
     */
    long known() {
      boolean charged = taken || !decision.allowed();
      return decision.effectiveCount() - (charged ? entry.charge() : 0);
    }
  }

  /** One answer as if it were that of a batch; null for none. */
  static @Nullable BatchDecision batchOf(@Nullable Decision one) {
    return one == null ? null : new BatchDecision(one.allowed(), List.of(one));
  }

  @Override
  public String toString() {
    StringBuilder words = new StringBuilder();
    for (Entry entry : entries) {
      words
          .append(words.isEmpty() ? "" : ", ")
          .append(entry.request.identifier())
          .append(" cost ")
          .append(entry.request.cost())
          .append(" limit ")
          .append(entry.request.limit());
    }
    return words.toString();
  }
}
