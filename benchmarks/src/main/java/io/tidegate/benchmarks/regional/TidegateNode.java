package io.tidegate.benchmarks.regional;

import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.benchmarks.load.Quota;
import io.tidegate.redis.RedisOrigin;

/** Tidegate with its origin in Redis, called through a gate. */
final class TidegateNode implements Contender.Node {

  private final RateLimiter limiter;
  private final Gate gate;
  private final long limit;

  TidegateNode(String redisUri, Quota quota) {
    this.limiter = RateLimiter.builder().origin(RedisOrigin.connect(redisUri)).build();
    this.gate = limiter.gate("acme", "requests", quota.window());
    this.limit = quota.tokens();
  }

  @Override
  public boolean allow(String identifier) {
    return gate.take(identifier, limit, 1);
  }

  @Override
  public long count(String identifier) {
    return gate.tryAcquire(identifier, limit, 0).effectiveCount();
  }

  @Override
  public boolean hasPending() {
    return limiter.stats().unconfirmedSeries() > 0;
  }

  @Override
  public void close() {
    limiter.close();
  }
}
