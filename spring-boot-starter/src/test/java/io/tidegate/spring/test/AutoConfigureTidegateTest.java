package io.tidegate.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.testing.VirtualTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A test as users of Spring Boot write it, of an application that has a clock of its own. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
@AutoConfigureTidegate
class AutoConfigureTidegateTest {

  @Autowired
  VirtualTime time;

  @Autowired
  RateLimiter limiter;

  @Autowired
  Clock clock;

  @Test
  void timeMovesOnlyWhenTheTestSaysSo() {
    LimitRequest request = LimitRequest.of("default", "test", "ann", Limit.perMinute(1));
    assertThat(time.instant()).isEqualTo(Instant.parse("2030-01-01T00:00:00Z"));
    assertThat(limiter.tryAcquire(request).allowed()).isTrue();
    assertThat(limiter.tryAcquire(request).retryAfterMillis()).isEqualTo(60_001);
    time.advance(Duration.ofMinutes(2));
    assertThat(limiter.tryAcquire(request).allowed()).isTrue();
  }

  @Test
  void applicationKeepsItsClock() {
    assertThat(clock.instant()).isBefore(Instant.parse("2029-12-31T00:00:00Z"));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {

    @Bean
    Clock clock() {
      return Clock.systemUTC();
    }
  }
}
