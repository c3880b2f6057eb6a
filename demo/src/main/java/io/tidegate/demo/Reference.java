package io.tidegate.demo;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.spi.PushPolicy;
import io.tidegate.testing.InMemoryGlobalCounters;
import io.tidegate.testing.InMemoryOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The policy of the reference design on the same requests: as many regions and nodes as the fleet,
 * in this process, which push a count once a region has used half of the limit, every ten seconds.
 * Its stores answer at once and never fail, which favours it.
 */
final class Reference implements AutoCloseable {

  /** Windows of a minute are shared as well; by default, that takes ten intervals. */
  private static final PushPolicy POLICY =
      PushPolicy.floor(0.5, Duration.ofSeconds(10)).withShortestWindow(Duration.ZERO);

  private final List<InMemoryOrigin> origins = new ArrayList<>();

  /** By region and node. */
  private final List<List<RateLimiter>> limiters = new ArrayList<>();

  Reference(List<String> regions, int nodes) {
    InMemoryGlobalCounters counters = new InMemoryGlobalCounters();
    for (String region : regions) {
      InMemoryOrigin origin = new InMemoryOrigin();
      origins.add(origin);
      List<RateLimiter> inRegion = new ArrayList<>();
      for (int node = 0; node < nodes; node++) {
        inRegion.add(RateLimiter.builder()
            .region(region)
            .origin(origin)
            .globalCounters(counters)
            .pushPolicy(POLICY)
            .build());
      }
      limiters.add(inRegion);
    }
  }

  /**
   * Whether all nodes have found the others of their region; until then each has the whole limit.
   */
  boolean isReady() {
    return limiters.stream()
        .allMatch(region ->
            region.stream().allMatch(limiter -> limiter.stats().liveNodes() == region.size()));
  }

  /** Decides on a request for one token, and counts it if it is admitted. */
  void request(User user, int region, int node) {
    LimitRequest request = LimitRequest.of(
        "demo", "api", user.name(), Limit.of(User.LIMIT, Duration.ofMillis(User.WINDOW_MILLIS)));
    Decision decision = limiters.get(region).get(node).tryAcquire(request);
    if (decision.allowed()) {
      user.reference().admit(1, decision.resetAtMillis(), System.currentTimeMillis());
    }
  }

  /** Drops the calls that the origins recorded for tests, which would fill the memory. */
  void dropRecords() {
    origins.forEach(InMemoryOrigin::clearCalls);
  }

  @Override
  public void close() {
    limiters.forEach(region -> region.forEach(RateLimiter::close));
  }
}
