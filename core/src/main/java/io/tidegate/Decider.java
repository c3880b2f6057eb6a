package io.tidegate;

import io.tidegate.local.Batch;
import io.tidegate.local.SeriesStore;
import io.tidegate.local.SeriesTable;
import io.tidegate.local.SeriesTable.Verdict;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.regional.RegionalLayer;
import io.tidegate.spi.LimiterObserver;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides from memory where the counts are fresh enough, else through the regional layer, and
 * reports decisions to the observer.
 *
 * @param regional null on a node that counts alone, where no series is ever unsure
 */
record Decider(SeriesStore store, @Nullable RegionalLayer regional, LimiterObserver observer) {

  /** Shared, because the compiler copies a list faster into an array of a known class. */
  private static final LimitRequest[] NO_REQUESTS = {};

  Decision decide(LimitRequest request, long nowMillis) {
    Scope scope = check(request, nowMillis).scope();
    return decide(
        store.table(scope),
        scope,
        request.identifier(),
        request.limit(),
        request.cost(),
        nowMillis);
  }

  Decision decide(
      SeriesTable table, Scope scope, String identifier, long limit, long cost, long nowMillis) {
    Decision decision = table.decide(identifier, limit, cost, nowMillis);
    return observe(
        scope,
        identifier,
        decision != null
            ? decision
            : requireRegional().decide(table, identifier, limit, cost, nowMillis));
  }

  CompletableFuture<Decision> decideAsync(LimitRequest request, long nowMillis, Duration maxWait) {
    Scope scope = check(request, nowMillis).scope();
    checkWait(maxWait);
    String identifier = request.identifier();
    SeriesTable table = store.table(scope);
    Decision decision = table.decide(identifier, request.limit(), request.cost(), nowMillis);
    return decision != null
        ? CompletableFuture.completedFuture(observe(scope, identifier, decision))
        : requireRegional()
            .decideAsync(table, request, nowMillis, maxWait)
            .thenApply(late -> observe(scope, identifier, late));
  }

  Decision record(LimitRequest request, long nowMillis) {
    return decide(recorded(request, nowMillis), nowMillis);
  }

  CompletableFuture<Decision> recordAsync(LimitRequest request, long nowMillis, Duration maxWait) {
    checkWait(maxWait);
    return decideAsync(recorded(request, nowMillis), nowMillis, maxWait);
  }

  /** Records the cost of a request, and returns a peek at what is left. */
  private LimitRequest recorded(LimitRequest request, long nowMillis) {
    Scope scope = check(request, nowMillis).scope();
    if (request.cost() > 0) {
      store.table(scope).record(request.identifier(), request.limit(), request.cost(), nowMillis);
    }
    return request.withCost(0);
  }

  boolean take(SeriesTable table, String identifier, long limit, long cost, long nowMillis) {
    Verdict verdict = table.take(identifier, limit, cost, nowMillis);
    return verdict == Verdict.UNSURE
        ? requireRegional().decide(table, identifier, limit, cost, nowMillis).allowed()
        : verdict == Verdict.ALLOWED;
  }

  BatchDecision decideAll(List<LimitRequest> requests, long nowMillis) {
    LimitRequest[] checked = checkBatch(requests, nowMillis);
    Batch batch = new Batch(store, checked, nowMillis);
    return observe(
        checked, regional == null ? batch.decide() : regional.decideAll(batch, nowMillis));
  }

  CompletableFuture<BatchDecision> decideAllAsync(
      List<LimitRequest> requests, long nowMillis, Duration maxWait) {
    LimitRequest[] checked = checkBatch(requests, nowMillis);
    checkWait(maxWait);
    Batch batch = new Batch(store, checked, nowMillis);
    return regional == null
        ? CompletableFuture.completedFuture(observe(checked, batch.decide()))
        : regional
            .decideAllAsync(batch, nowMillis, maxWait)
            .thenApply(all -> observe(checked, all));
  }

  boolean isObserved() {
    return observer != LimiterObserver.NONE;
  }

  private RegionalLayer requireRegional() {
    return Objects.requireNonNull(regional, "only series with an origin are unsure");
  }

  private Decision observe(Scope scope, String identifier, Decision decision) {
    if (isObserved()) {
      observer.decided(scope, identifier, decision);
    }
    return decision;
  }

  private BatchDecision observe(LimitRequest[] requests, BatchDecision decision) {
    if (isObserved()) {
      observer.batchDecided(List.of(requests), decision);
    }
    return decision;
  }

  private static LimitRequest check(LimitRequest request, long nowMillis) {
    Bounds.checkTime(nowMillis);
    return Objects.requireNonNull(request, "request must not be null");
  }

  private static void checkWait(Duration maxWait) {
    if (Objects.requireNonNull(maxWait, "maxWait must not be null").isNegative()) {
      throw new IllegalArgumentException("maxWait must not be negative: " + maxWait);
    }
  }

  private static LimitRequest[] checkBatch(List<LimitRequest> requests, long nowMillis) {
    Bounds.checkTime(nowMillis);
    LimitRequest[] batch =
        Objects.requireNonNull(requests, "requests must not be null").toArray(NO_REQUESTS);
    Bounds.checkBatchSize(batch.length);
    for (int i = 0; i < batch.length; i++) {
      if (batch[i] == null) {
        throw new NullPointerException("request " + i + " of the batch must not be null");
      }
    }
    return batch;
  }
}
