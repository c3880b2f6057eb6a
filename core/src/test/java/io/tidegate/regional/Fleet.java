package io.tidegate.regional;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.Writer;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Nodes of a region in virtual time, with shortcuts for tests. */
final class Fleet {

  static final long WINDOW = 60_000;
  static final Duration TICK = RegionalLayer.TICK;

  final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:10Z"));
  final InMemoryOrigin origin = new InMemoryOrigin();
  final Scope scope = new Scope("acme", "login", WINDOW);
  final List<LimiterObserver.OriginOperation> answered = new ArrayList<>();
  final List<LimiterObserver.CallFailure> failed = new ArrayList<>();

  RateLimiter node() {
    return node(1_000_000);
  }

  RateLimiter node(int maxSeries) {
    return RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .region("eu")
        .origin(origin)
        .maxSeries(maxSeries)
        .observer(new LimiterObserver() {
          @Override
          public void originAnswered(OriginOperation operation, long nanos) {
            answered.add(operation);
          }

          @Override
          public void originFailed(OriginOperation operation, CallFailure failure) {
            failed.add(failure);
          }
        })
        .build();
  }

  LimitRequest request(String identifier, long limit, long cost) {
    return new LimitRequest(scope, identifier, limit, cost);
  }

  Decision take(RateLimiter node, String identifier, long limit, long cost) {
    return node.tryAcquire(request(identifier, limit, cost));
  }

  CompletableFuture<Decision> takeAsync(
      RateLimiter node, String identifier, long limit, long cost) {
    return node.tryAcquireAsync(request(identifier, limit, cost)).toCompletableFuture();
  }

  void tick() {
    time.advance(TICK);
  }

  WindowCell cell(String identifier) {
    return cell(identifier, time.millis());
  }

  WindowCell cell(String identifier, long millis) {
    return WindowCell.at(new Series(scope, identifier), millis);
  }

  long total(String identifier) {
    return origin.total("eu", cell(identifier));
  }

  /** Replays a count of another node of the region. */
  void peerCounts(WindowCell cell, long count) {
    origin.replay(List.of(new OwnCount(new Writer("eu", "peer"), cell, count)));
  }

  /** Fails all calls until {@link #mendOrigin}. */
  void breakOrigin() {
    origin.fail(new IllegalStateException("broken by a test"));
  }

  void mendOrigin() {
    origin.fail(null);
  }
}
