package io.tidegate.spring;

import io.tidegate.RateLimiter;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Shows the limiter in the health of an application with Spring Boot 3. */
@AutoConfiguration(after = TidegateAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(CountStores.class)
@ConditionalOnProperty(name = "management.health.tidegate.enabled", matchIfMissing = true)
public class TidegateHealthAutoConfiguration {

  @Bean
  HealthIndicator tidegateHealthIndicator(RateLimiter limiter, CountStores stores) {
    TidegateHealth health = new TidegateHealth(limiter, stores);
    return () -> Health.up().withDetails(health.details()).build();
  }
}
