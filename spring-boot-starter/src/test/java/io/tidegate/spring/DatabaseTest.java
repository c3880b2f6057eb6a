package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.spring.testing.Front;
import io.tidegate.spring.testing.Hello;
import io.tidegate.spring.testing.TestApplication;
import io.tidegate.testkit.MariaDbServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Regions that share counts through a real MariaDB, with the driver of Spring Boot. */
class DatabaseTest {

  private static TestApplication start(Front front, MariaDbServer database, String region) {
    return TestApplication.start(
        front,
        Hello.class,
        "tidegate.region=" + region,
        "tidegate.jdbc-url=" + database.jdbcUrl(),
        "tidegate.rules[0].name=api",
        "tidegate.rules[0].path=/api/**",
        "tidegate.rules[0].key=header('X-Api-Key')",
        "tidegate.rules[0].limit=10",
        "tidegate.rules[0].window=365d",
        "management.endpoint.health.show-details=always");
  }

  @Test
  void regionsShareALimit() throws Exception {
    try (MariaDbServer database = MariaDbServer.start();
        TestApplication eu = start(Front.MVC, database, "eu");
        TestApplication us = start(Front.WEBFLUX, database, "us")) {
      assertThat(eu.statuses(11, "/api/x", "X-Api-Key", "k")).endsWith(200, 429);
      RateLimiter limiter = us.context().getBean(RateLimiter.class);
      LimitRequest peek = LimitRequest.of("default", "api", "k", Limit.of(10, Duration.ofDays(365)))
          .withCost(0);
      // A region that is alone pushes a count when it has doubled, so the last push had 6 or more.
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (limiter.tryAcquire(peek).remaining() > 4) {
        assertThat(System.nanoTime()).as("60 seconds are over").isLessThan(end);
        Thread.sleep(100);
      }
      assertThat(us.statuses(10, "/api/x", "X-Api-Key", "k"))
          .endsWith(429, 429, 429, 429, 429, 429);
      assertThat(us.get("/actuator/health").body())
          .contains("the database at jdbc:mariadb://127.0.0.1:" + database.port())
          .contains("(region us)", "\"globalCounters\":\"ok\"")
          .doesNotContain("root");
    }
  }
}
