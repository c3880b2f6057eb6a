package io.tidegate.simulator.chaos;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * A single request or a batch, with the state of the node when it received the request.
 *
 * @param nowMillis time of the node's clock
 * @param nanos virtual time
 */
record ObservedRequest(Node node, List<Entry> entries, long nowMillis, long nanos) {

  /**
   * One request of a batch.
   *
   * @param charge cost of the request plus those of earlier entries for the same series
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
   * @param admitted whether the batch was allowed and its costs were counted
   * @param leastCount the least effective count that the node must have had
   */
  record Answer(
      ObservedRequest request,
      Entry entry,
      Decision decision,
      WindowCell cell,
      boolean admitted,
      long leastCount) {

    Node node() {
      return request.node;
    }

    /** Tokens of the series that the whole batch was charged. */
    long chargedOfSeries() {
      return request.entries.stream()
          .filter(other -> admitted && other.series().equals(entry.series()))
          .mapToLong(other -> other.request.cost())
          .sum();
    }

    /**
     * The effective count of the node without the request itself. An allowed request of a denied
     * batch is not part of the count that its decision reports.
     */
    long countBefore() {
      boolean charged = admitted || !decision.allowed();
      return decision.effectiveCount() - (charged ? entry.charge : 0);
    }

    @Override
    public String toString() {
      return "%s answered %s to %s of %s, at %d ms"
          .formatted(request.node, decision, entry, request, request.nowMillis);
    }
  }

  /** Sends the request to the limiter of the node. */
  CompletionStage<BatchDecision> decide() {
    List<LimitRequest> requests = entries.stream().map(Entry::request).toList();
    return requests.size() > 1
        ? node.limiter().tryAcquireAllAsync(requests, nowMillis)
        : node.limiter()
            .tryAcquireAsync(requests.get(0), nowMillis)
            .thenApply(one -> new BatchDecision(one.allowed(), List.of(one)));
  }

  @Override
  public String toString() {
    return entries.stream()
        .map(Entry::request)
        .map(one -> one.identifier() + " cost " + one.cost() + " limit " + one.limit())
        .collect(Collectors.joining(", "));
  }
}
