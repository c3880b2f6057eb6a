package io.tidegate.simulator.chaos;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A single request or a batch as the referee saw it, with the state of the node at that time.
 *
 * @param node node that received the request
 * @param entries requests of the batch
 * @param nowMillis time of the node's clock
 * @param nanos virtual time
 */
record ObservedRequest(Node node, List<Entry> entries, long nowMillis, long nanos) {

  /**
   * One request of a batch.
   *
   * @param request the request
   * @param charge its cost plus those of earlier entries for the same series
   * @param incarnation incarnation of the series in the node's memory
   * @param strict whether the series was in strict mode
   * @param readFailed whether a read of the series had failed less than a second before
   */
  record Entry(
      LimitRequest request, long charge, int incarnation, boolean strict, boolean readFailed) {

    Series series() {
      return new Series(request.scope(), request.identifier());
    }
  }

  /**
   * The answer to one request of a batch.
   *
   * @param request the whole batch
   * @param entry the request that is answered
   * @param decision the answer
   * @param admitted whether the batch was allowed and its costs were counted
   * @param leastCount the least effective count that the node must have had
   */
  record Answer(
      ObservedRequest request, Entry entry, Decision decision, boolean admitted, long leastCount) {

    /** Tokens of the series that the whole batch was charged. */
    long chargedOfSeries() {
      return admitted
          ? request.entries().stream()
              .filter(other -> other.series().equals(entry.series()))
              .mapToLong(other -> other.request().cost())
              .sum()
          : 0;
    }

    WindowCell cell() {
      return WindowCell.at(entry.series(), startMillis());
    }

    long startMillis() {
      return decision.resetAtMillis() - entry.request().scope().windowMillis();
    }

    /**
     * The effective count of the node without the request itself. An allowed request of a denied
     * batch is not part of the count that its decision reports.
     */
    long countBefore() {
      boolean charged = admitted || !decision.allowed();
      return decision.effectiveCount() - (charged ? entry.charge() : 0);
    }
  }

  /** Wraps the answer to a single request; null for none. */
  static @Nullable BatchDecision batchOf(@Nullable Decision one) {
    return one == null ? null : new BatchDecision(one.allowed(), List.of(one));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Entry entry : entries) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(entry.request.identifier())
          .append(" cost ")
          .append(entry.request.cost())
          .append(" limit ")
          .append(entry.request.limit());
    }
    return text.toString();
  }
}
