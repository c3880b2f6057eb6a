/** The origin of a region in Redis: start at {@link io.tidegate.redis.RedisOrigin}. */
@org.jspecify.annotations.NullMarked
package io.tidegate.redis;
