package io.tidegate.benchmarks;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;

/**
 * bucket4j with its buckets in Redis: every request reads the bucket and writes it back if nobody
 * else has meanwhile.
 *
 * <p>A bucket is filled up at once when its window is over, which is as near as it comes to a fixed
 * window, and expires as a cell of Tidegate does.
 */
final class Bucket4jNode implements RegionalLimiter {

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
  public long known(String identifier) {
    return limit - bucket(identifier).getAvailableTokens();
  }

  @Override
  public long untold() {
    return 0;
  }

  @Override
  public long dropped() {
    return 0;
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
  }
}
