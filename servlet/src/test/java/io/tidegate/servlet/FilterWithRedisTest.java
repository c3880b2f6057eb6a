package io.tidegate.servlet;

import static jakarta.servlet.DispatcherType.ASYNC;
import static jakarta.servlet.DispatcherType.REQUEST;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.redis.RedisOrigin;
import io.tidegate.rules.web.WebLimiter;
import io.tidegate.rules.web.WebRule;
import io.tidegate.testkit.RedisServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two applications that share a limit through a real Redis. */
class FilterWithRedisTest {

  private static TestServer serverOf(RateLimiter limiter) {
    WebLimiter web = WebLimiter.builder(limiter)
        .rules(WebRule.named("api")
            .path("/api/{user}")
            .key(request -> request.path())
            .limit(Limit.perDay(10))
            .build())
        .build();
    return new TestServer()
        .filter(RateLimitFilter.nonBlocking(web), REQUEST, ASYNC)
        .servlet("/", TestServlets.text("hello", new AtomicInteger()))
        .start();
  }

  private static RateLimiter limiterWith(RedisServer redis) {
    return RateLimiter.builder().origin(RedisOrigin.connect(redis.uri())).build();
  }

  @Test
  void limitHoldsOverBothAndAPausedRedisDelaysNoOtherRequest() throws Exception {
    try (RedisServer redis = RedisServer.start();
        RateLimiter one = limiterWith(redis);
        RateLimiter other = limiterWith(redis);
        TestServer first = serverOf(one);
        TestServer second = serverOf(other)) {
      int allowed = 0;
      for (int i = 0; i < 20; i++) {
        allowed += (i % 2 == 0 ? first : second).get("/api/ann").statusCode() == 200 ? 1 : 0;
      }
      assertThat(allowed).isBetween(10, 12); // counts of the other node arrive within milliseconds

      redis.pause();
      long start = System.nanoTime();
      List<CompletableFuture<HttpResponse<String>>> cold = new ArrayList<>();
      for (int i = 0; i < 250; i++) { // Tomcat has 200 threads
        cold.add(first.getLater("/api/user" + i));
      }
      for (CompletableFuture<HttpResponse<String>> each : cold) {
        assertThat(each.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
      redis.resume();
    }
  }
}
