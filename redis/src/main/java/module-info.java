/**
 * The origin of a region in Redis.
 *
 * <p>Start at {@link io.tidegate.redis.RedisOrigin}.
 */
@org.jspecify.annotations.NullMarked
module io.tidegate.redis {
  requires transitive io.tidegate.core;
  requires transitive lettuce.core;

  // Lettuce has no module descriptor, so the Netty modules that it uses are named here.
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.resolver.dns;

  exports io.tidegate.redis;
}
