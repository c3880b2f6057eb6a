package io.tidegate.spring;

import io.tidegate.RateLimiter;
import io.tidegate.RateLimiterBuilder;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Scheduler;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Configures a {@link RateLimiter}, which applications can inject:
 *
 * <pre>{@code
 * @RestController
 * class Reports {
 *   Reports(RateLimiter limiter) { ... }
 * }
 * }</pre>
 *
 * <p>It uses beans of these types if the application has them: a {@link RegionalOrigin} or
 * {@link GlobalCounters}, instead of those of the properties; an {@link InstantSource} and a
 * {@link Scheduler}, such as a {@code VirtualTime} in tests; any number of {@link LimiterObserver}.
 * An application that has a {@code RateLimiter} bean of its own keeps it.
 */
@AutoConfiguration
@EnableConfigurationProperties(TidegateProperties.class)
public class TidegateAutoConfiguration {

  /** The places of the counts of the limiter below; absent if the application has a limiter. */
  @Bean
  @ConditionalOnMissingBean(RateLimiter.class)
  CountStores tidegateCountStores(
      TidegateProperties properties,
      ObjectProvider<RegionalOrigin> origin,
      ObjectProvider<GlobalCounters> counters,
      ObjectProvider<InstantSource> clock) {
    return CountStores.connect(
        properties,
        origin.getIfAvailable(),
        counters.getIfAvailable(),
        clock.getIfUnique(InstantSource::system));
  }

  @Bean
  @ConditionalOnMissingBean
  RateLimiter tidegateRateLimiter(
      TidegateProperties properties,
      CountStores stores,
      ObjectProvider<InstantSource> clock,
      ObjectProvider<Scheduler> scheduler,
      ObjectProvider<LimiterObserver> observers) {
    RateLimiterBuilder builder = RateLimiter.builder();
    clock.ifUnique(builder::clock);
    scheduler.ifUnique(builder::scheduler);
    return stores.build(builder, properties, observers.orderedStream().toList());
  }
}
