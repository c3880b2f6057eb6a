package io.tidegate.spring;

import io.tidegate.RateLimiter;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Configures the actuator endpoint {@code tidegate}. */
@AutoConfiguration(after = TidegateWebAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
public class TidegateEndpointAutoConfiguration {

  @Bean
  @ConditionalOnAvailableEndpoint
  TidegateEndpoint tidegateEndpoint(
      RateLimiter limiter,
      ObjectProvider<CountStores> stores,
      ObjectProvider<CompiledRules> rules) {
    CompiledRules compiled = rules.getIfAvailable();
    return new TidegateEndpoint(
        limiter, stores.getIfAvailable(), compiled == null ? List.of() : compiled.descriptions());
  }
}
