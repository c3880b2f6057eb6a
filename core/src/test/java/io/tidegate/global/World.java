package io.tidegate.global;

import io.tidegate.RateLimiter;
import io.tidegate.RateLimiterBuilder;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.PushPolicy;
import io.tidegate.testing.InMemoryGlobalCounters;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Regions of nodes in virtual time, with shortcuts for tests. */
final class World {

  static final long WINDOW = 60_000;

  /** Time for a push and a pull, each of which may be late. */
  static final Duration EXCHANGE = Duration.ofMillis(2_900);

  final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:10Z"));
  final InMemoryGlobalCounters counters = new InMemoryGlobalCounters();
  final Scope scope = new Scope("acme", "login", WINDOW);
  final List<String> events = new ArrayList<>();
  PushPolicy policy = PushPolicy.adaptive();

  /** Keeps the limiters reachable: an unreachable one is collected, and its periodic work ends. */
  private final List<RateLimiter> nodes = new ArrayList<>();

  /** A node that is a region by itself. */
  RateLimiter node(String region) {
    return hold(builder(region).build());
  }

  /** A node that shares an origin with others. */
  RateLimiter node(String region, InMemoryOrigin origin) {
    return hold(builder(region).origin(origin).build());
  }

  RateLimiter hold(RateLimiter node) {
    nodes.add(node);
    return node;
  }

  RateLimiterBuilder builder(String region) {
    return RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .region(region)
        .globalCounters(counters)
        .pushPolicy(policy)
        .observer(new LimiterObserver() {
          @Override
          public void pushed(int rows, long nanos) {
            events.add(region + " pushed " + rows);
          }

          @Override
          public void pushFailed(CallFailure failure) {
            events.add(region + " push failed " + failure);
          }

          @Override
          public void globalCountersLostCounts() {
            events.add(region + " lost counts");
          }

          @Override
          public void regionNameConflict(String name) {
            events.add(region + " conflict " + name);
          }

          @Override
          public void pulled(int rows, int applied, int created, long nanos) {
            events.add(region + " pulled " + rows + " applied " + applied + " created " + created);
          }

          @Override
          public void pullFailed(CallFailure failure) {
            events.add(region + " pull failed " + failure);
          }
        });
  }

  Decision take(RateLimiter node, String identifier, long limit, long cost) {
    return node.tryAcquire(new LimitRequest(scope, identifier, limit, cost));
  }

  CompletableFuture<Decision> takeAsync(
      RateLimiter node, String identifier, long limit, long cost) {
    return node.tryAcquireAsync(new LimitRequest(scope, identifier, limit, cost))
        .toCompletableFuture();
  }

  /** The effective count of a series on a node. */
  long effective(RateLimiter node, String identifier) {
    return take(node, identifier, 1_000_000_000, 0).effectiveCount();
  }

  WindowCell cell(String identifier) {
    return cell(identifier, time.millis());
  }

  WindowCell cell(String identifier, long millis) {
    return WindowCell.at(new Series(scope, identifier), millis);
  }

  /** The cell of a series with another window than {@link #WINDOW}. */
  WindowCell cell(String identifier, Duration window) {
    Series series = new Series(new Scope("acme", "login", window.toMillis()), identifier);
    return WindowCell.at(series, time.millis());
  }

  long row(String region, String identifier) {
    return counters.count(region, cell(identifier));
  }

  /** Pushes a count for a region that has no nodes in this world. */
  void remoteCounts(String region, WindowCell cell, long count) {
    counters.push(List.of(new Component(region, cell, count)));
  }

  void exchange() {
    time.advance(EXCHANGE);
  }
}
