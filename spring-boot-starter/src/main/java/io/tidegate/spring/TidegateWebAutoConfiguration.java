package io.tidegate.spring;

import io.tidegate.RateLimiter;
import io.tidegate.rules.web.LimitProvider;
import io.tidegate.rules.web.WebListener;
import java.time.InstantSource;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What MVC and WebFlux have in common. Uses a {@link LimitProvider} bean and all
 * {@link WebListener} beans of the application:
 *
 * <pre>{@code
 * @Bean
 * LimitProvider plans(PlanCache plans) {
 *   return (rule, key) -> plans.isPremium(key) ? Limit.perMinute(10_000) : null;
 * }
 * }</pre>
 */
@AutoConfiguration(after = TidegateAutoConfiguration.class)
public class TidegateWebAutoConfiguration {

  /** Also without a web application: limited methods use it. */
  @Bean
  WebLimiterSettings tidegateWebLimiterSettings(
      RateLimiter limiter,
      TidegateProperties properties,
      ObjectProvider<InstantSource> clock,
      ObjectProvider<LimitProvider> limits,
      ObjectProvider<WebListener> listeners) {
    return new WebLimiterSettings(
        limiter,
        properties,
        clock.getIfUnique(InstantSource::system),
        limits.getIfAvailable(),
        listeners.orderedStream().toList());
  }

  /** Warns of rules that limit nothing. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnNotWebApplication
  static class WithoutWeb {

    WithoutWeb(TidegateProperties properties) {
      if (properties.enabled() && !properties.rules().isEmpty()) {
        LogFactory.getLog(TidegateWebAutoConfiguration.class)
            .warn(
                "There are tidegate.rules, but this is no web application: nothing is limited by them.");
      }
    }
  }
}
