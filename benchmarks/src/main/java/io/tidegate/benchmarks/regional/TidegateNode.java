package io.tidegate.benchmarks;

import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.redis.RedisOrigin;

/** Tidegate with its origin in Redis, asked through a kept gate. */
final class TidegateNode implements RegionalLimiter {

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
  public long known(String identifier) {
    return gate.tryAcquire(identifier, limit, 0).effectiveCount();
  }

  @Override
  public long untold() {
    return limiter.stats().unconfirmedSeries();
  }

  @Override
  public long dropped() {
    return limiter.stats().lostTokens();
  }

  @Override
  public void close() {
    limiter.close();
  }
}
