package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.spring.testing.Front;
import io.tidegate.spring.testing.Hello;
import io.tidegate.spring.testing.PlainPasswords;
import io.tidegate.spring.testing.TestApplication;
import io.tidegate.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Applications that share counts through a real Redis, with the Lettuce of Spring Boot. */
class RedisTest {

  @Configuration(proxyBeanMethods = false)
  @Import({Hello.class, PlainPasswords.class})
  static class App {}

  private static RedisServer redis;

  @BeforeAll
  static void startRedis() {
    redis = RedisServer.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  private static TestApplication start(Front front, String... more) {
    return start(redis, front, more);
  }

  private static TestApplication start(RedisServer redis, Front front, String... more) {
    String[] properties = {
      "tidegate.redis-uri=" + redis.uri(),
      "tidegate.rules[0].name=api",
      "tidegate.rules[0].path=/api/**",
      "tidegate.rules[0].key=header('X-Api-Key')",
      "tidegate.rules[0].limit=10",
      "tidegate.rules[0].window=365d",
      "management.endpoint.health.show-details=always",
      "management.endpoint.health.probes.enabled=true",
    };
    String[] all = Arrays.copyOf(properties, properties.length + more.length);
    System.arraycopy(more, 0, all, properties.length, more.length);
    return TestApplication.start(front, App.class, all);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("30 seconds are over").isLessThan(end);
      Thread.sleep(20);
    }
  }

  @Test
  void applicationsShareALimit() throws Exception {
    try (TestApplication mvc = start(Front.MVC);
        TestApplication webFlux = start(Front.WEBFLUX)) {
      assertThat(mvc.statuses(10, "/api/x", "X-Api-Key", "shared")).containsOnly(200);
      RateLimiter limiter = mvc.context().getBean(RateLimiter.class);
      await(() -> limiter.stats().unconfirmedSeries() == 0);
      assertThat(webFlux.get("/api/x", "X-Api-Key", "shared").statusCode()).isEqualTo(429);
      assertThat(webFlux.get("/api/x", "X-Api-Key", "other").statusCode()).isEqualTo(200);
      assertThat(webFlux.get("/actuator/health").body())
          .contains("shared through Redis at redis://127.0.0.1:" + redis.port())
          .contains("\"origin\":\"ok\"");
    }
  }

  /** Each request has a new key, so each decision reads Redis first. */
  @ParameterizedTest
  @EnumSource
  void readOfRedisDoesNotDisturbAuthentication(Front front) {
    try (TestApplication app = start(
        front,
        "test.security=true",
        "spring.security.user.name=ann",
        "spring.security.user.password=secret")) {
      String login = "Basic "
          + Base64.getEncoder().encodeToString("ann:secret".getBytes(StandardCharsets.UTF_8));
      Map<Integer, Integer> answers = TestApplication.load(
          10, 5, i -> app.get("/api/x", "X-Api-Key", front + "auth" + i, "Authorization", login));
      assertThat(answers).containsOnlyKeys(200);
      assertThat(app.get("/api/x", "X-Api-Key", "none").statusCode()).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @EnumSource
  void survivesTheDeathOfRedisUnderLoad(Front front) throws Exception {
    try (RedisServer mortal = RedisServer.start();
        TestApplication app = start(mortal, front)) {
      AtomicInteger sent = new AtomicInteger();
      Map<Integer, Integer> answers = TestApplication.load(50, 40, i -> {
        if (sent.incrementAndGet() == 500) {
          mortal.kill();
        }
        return app.get("/api/x", "X-Api-Key", "k" + i % 100);
      });
      assertThat(answers.keySet()).isSubsetOf(Set.of(200, 429));
      assertThat(answers.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(2_000);
      // 100 keys with 10 tokens each, and one node: memory alone keeps the limit exact.
      assertThat(answers).containsEntry(200, 1_000);

      assertThat(app.get("/api/x", "X-Api-Key", "later").statusCode()).isEqualTo(200);
      var health = app.get("/actuator/health");
      assertThat(health.statusCode()).isEqualTo(200);
      assertThat(health.body())
          .contains("\"limiter\":\"degraded\"", "\"origin\":\"degraded since ")
          .startsWith("{")
          .doesNotContain("DOWN", "OUT_OF_SERVICE");
      assertThat(app.get("/actuator/health/readiness").statusCode()).isEqualTo(200);

      mortal.restart();
      AtomicInteger probes = new AtomicInteger();
      await(() -> {
        app.get("/api/x", "X-Api-Key", "probe" + probes.incrementAndGet());
        return app.get("/actuator/health").body().contains("\"origin\":\"ok\"");
      });
      await(() -> app.context().getBean(RateLimiter.class).stats().unconfirmedSeries() == 0);
    }
  }

  @Test
  void startsWithoutRedis() {
    try (RedisServer dead = RedisServer.start()) {
      dead.kill();
      try (TestApplication app = start(dead, Front.WEBFLUX)) {
        assertThat(app.statuses(11, "/api/x", "X-Api-Key", "k"))
            .endsWith(200, 429)
            .containsOnly(200, 429);
      }
    }
  }
}
