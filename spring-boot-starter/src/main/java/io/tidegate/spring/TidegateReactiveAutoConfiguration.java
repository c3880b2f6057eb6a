package io.tidegate.spring;

import io.tidegate.spring.TidegateProperties.RuleOrder;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** Applies the rules to the requests of a WebFlux application, before and after Spring Security. */
@AutoConfiguration(after = TidegateWebAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass({WebFilter.class, Mono.class})
public class TidegateReactiveAutoConfiguration {

  @Bean
  CompiledRules tidegateRules(TidegateProperties properties, ListableBeanFactory beans) {
    return CompiledRules.compile(
        properties,
        ExpressionScope.of(ExchangeRequestRoot.class, ExchangeRequestRoot::new, properties, beans));
  }

  @Bean
  WebFilter tidegateBeforeSecurity(CompiledRules rules, WebLimiterSettings settings) {
    return filter(RuleOrder.BEFORE_SECURITY, rules, settings);
  }

  @Bean
  WebFilter tidegateAfterSecurity(CompiledRules rules, WebLimiterSettings settings) {
    return filter(RuleOrder.AFTER_SECURITY, rules, settings);
  }

  private static WebFilter filter(
      RuleOrder order, CompiledRules rules, WebLimiterSettings settings) {
    return rules
        .limiter(order, settings)
        .<WebFilter>map(limiter -> new RateLimitWebFilter(
            limiter, rules.readPrincipal(order), SecurityOrder.reactive(order)))
        .orElse((exchange, chain) -> chain.filter(exchange));
  }
}
