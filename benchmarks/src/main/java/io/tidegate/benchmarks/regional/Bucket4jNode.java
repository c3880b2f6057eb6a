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
import io.tidegate.benchmarks.load.Quota;
import java.time.Duration;

/**
 * bucket4j with its buckets in Redis: every request reads the bucket and writes it back with
 * compare-and-swap.
 *
 * <p>A bucket is refilled at the end of its window, which is closest to a fixed window, and expires
 * like a cell of Tidegate.
 */
final class Bucket4jNode implements Contender.Node {

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
