package io.tidegate.spring.gateway;

import io.tidegate.spring.TidegateProperties;
import io.tidegate.spring.TidegateWebAutoConfiguration;
import io.tidegate.spring.WebLimiterSettings;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.config.GatewayAutoConfiguration;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * Provides the limiter of the filter {@code RequestRateLimiter}. It is the default also if the
 * gateway has a limiter for Redis.
 */
@AutoConfiguration(
    after = TidegateWebAutoConfiguration.class,
    before = GatewayAutoConfiguration.class)
@ConditionalOnClass(GatewayAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBean(WebLimiterSettings.class)
public class TidegateGatewayAutoConfiguration {

  @Bean
  @Primary
  @ConditionalOnMissingBean
  TidegateRateLimiter tidegateGatewayRateLimiter(
      WebLimiterSettings settings, TidegateProperties properties) {
    return new TidegateRateLimiter(settings, properties.enabled());
  }

  @Bean
  RouteCheck tidegateRouteCheck(ObjectProvider<GatewayProperties> properties) {
    return new RouteCheck(properties);
  }
}
