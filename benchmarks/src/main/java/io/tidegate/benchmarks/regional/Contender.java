package io.tidegate.benchmarks.regional;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.benchmarks.load.Quota;
import io.tidegate.redis.RedisOrigin;
import java.time.Duration;
import java.util.function.BiFunction;

/** The limiters that are compared. */
enum Contender {
  TIDEGATE("Tidegate", TidegateNode::new),
  PER_REQUEST("replay per request", PerRequestNode::new),
  BUCKET4J("bucket4j", Bucket4jNode::new);

  /** The rate limiter of one node, which shares its counts with other nodes through Redis. */
  interface Node extends AutoCloseable {

    /** Requests one token. */
    boolean allow(String identifier);

    /** Tokens of all nodes that this node counts, determined by a peek. */
    long count(String identifier);

    /** Whether this node knows how many nodes there are. */
    default boolean knows(int nodes) {
      return true;
    }

    /** Whether counts are still to be sent to Redis. */
    default boolean hasPending() {
      return false;
    }

    @Override
    void close();
  }

  final String label;

  /** Creates an empty node with its own connections to the Redis of a URI. */
  @SuppressWarnings("ImmutableEnumChecker") // a constructor, which has no state
  final BiFunction<String, Quota, Node> join;

  Contender(String label, BiFunction<String, Quota, Node> join) {
    this.label = label;
    this.join = join;
  }

  /** Whether Redis holds counts to add up. bucket4j has opaque buckets, and decides by them. */
  boolean keepsCountsInRedis() {
    return this != BUCKET4J;
  }

  /** Tidegate with its origin in Redis, called through a gate. */
  private static final class TidegateNode implements Node {

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
    public boolean knows(int nodes) {
      return limiter.stats().liveNodes() == nodes;
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

  /**
   * bucket4j with its buckets in Redis: every request reads the bucket and writes it back with
   * compare-and-swap. A bucket is refilled at the end of its window, which is closest to a fixed
   * window, and expires like a cell of Tidegate.
   */
  private static final class Bucket4jNode implements Node {

    private final RedisClient client;
    private final ProxyManager<String> buckets;
    private final BucketConfiguration configuration;
    private final long limit;

    Bucket4jNode(String redisUri, Quota quota) {
      this.limit = quota.tokens();
      this.configuration = BucketConfiguration.builder()
          .addLimit(bucket -> bucket.capacity(limit).refillIntervally(limit, quota.window()))
          .build();
      this.client = RedisClient.create(redisUri);
      this.buckets = Bucket4jLettuce.casBasedBuilder(
              client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)))
          .expirationAfterWrite(
              ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(quota.window()))
          .build();
    }

    private Bucket bucket(String identifier) {
      return buckets.builder().build(identifier, () -> configuration);
    }

    @Override
    public boolean allow(String identifier) {
      return bucket(identifier).tryConsume(1);
    }

    @Override
    public long count(String identifier) {
      return limit - bucket(identifier).getAvailableTokens();
    }

    @Override
    public void close() {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
  }
}
