package io.tidegate.benchmarks.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.RedisServer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisMeterTest {

  @Test
  void commandsAreThoseOfRequests() {
    String stats = """
        # Commandstats\r
        cmdstat_hset:calls=12,usec=34,usec_per_call=2.83,rejected_calls=0,failed_calls=0\r
        cmdstat_info:calls=5,usec=34,usec_per_call=2.83,rejected_calls=0,failed_calls=0\r
        cmdstat_client|setinfo:calls=4,usec=9,usec_per_call=2.25,rejected_calls=0,failed_calls=4\r
        cmdstat_get:calls=3,usec=1,usec_per_call=0.33,rejected_calls=0,failed_calls=0\r
        """;
    assertThat(RedisMeter.parse(stats)).isEqualTo(Map.of("hset", 12L, "get", 3L));
  }

  @Test
  void countsTotalsAndNumbers() {
    try (RedisServer redis = RedisServer.start()) {
      RedisMeter meter = new RedisMeter(redis);
      assertThat(meter.counted()).isZero();
      redis.call("HSET", "a", ":total", "1000000000002", "x", "1000000000000", "y", "2");
      redis.call("SET", "tidegate:{eu}:identity", "9f2c1k");
      redis.call("INCRBY", "b", "40");
      assertThat(meter.counted()).isEqualTo(1_000_000_000_042L);
      assertThat(meter.read().messages()).isEqualTo(1);
    }
  }
}
