package io.tidegate.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidegate.RateLimiter;
import io.tidegate.micrometer.LimiterMetrics;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Registers the metrics of the limiter in the registry of the application. Decisions are counted by
 * rule, which is the tag {@code namespace}, and never by key.
 */
@AutoConfiguration(
    before = TidegateAutoConfiguration.class,
    afterName = {
      // Spring Boot 3
      "org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      // Spring Boot 4
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass({MeterRegistry.class, LimiterMetrics.class})
@ConditionalOnBean(MeterRegistry.class)
public class TidegateMetricsAutoConfiguration {

  /** An observer, which the limiter uses as it uses those of the application. */
  @Bean
  @ConditionalOnMissingBean
  LimiterMetrics tidegateLimiterMetrics(MeterRegistry registry) {
    return new LimiterMetrics(registry);
  }

  @Bean
  SmartInitializingSingleton tidegateLimiterStatistics(
      LimiterMetrics metrics, RateLimiter limiter) {
    return () -> metrics.bind(limiter::stats);
  }
}
