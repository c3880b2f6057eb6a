package io.tidegate.spring;

import io.tidegate.servlet.RateLimitFilter;
import io.tidegate.spring.TidegateProperties.RuleOrder;
import jakarta.servlet.Filter;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Applies the rules to the requests of an application with Spring MVC, before and after Spring
 * Security.
 *
 * <p>A request waits on its thread if Redis must be read first. The non-blocking filter would
 * dispatch it again, and the filters of Spring Security ignore such dispatches.
 */
@AutoConfiguration(after = TidegateWebAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
public class TidegateServletAutoConfiguration {

  @Bean
  CompiledRules tidegateRules(TidegateProperties properties, ListableBeanFactory beans) {
    return CompiledRules.compile(
        properties,
        ExpressionScope.of(ServletRequestRoot.class, ServletRequestRoot::new, properties, beans));
  }

  @Bean
  FilterRegistrationBean<Filter> tidegateBeforeSecurity(
      CompiledRules rules, WebLimiterSettings settings, Environment environment) {
    return registration(RuleOrder.BEFORE_SECURITY, rules, settings, environment);
  }

  @Bean
  FilterRegistrationBean<Filter> tidegateAfterSecurity(
      CompiledRules rules, WebLimiterSettings settings, Environment environment) {
    return registration(RuleOrder.AFTER_SECURITY, rules, settings, environment);
  }

  private static FilterRegistrationBean<Filter> registration(
      RuleOrder order, CompiledRules rules, WebLimiterSettings settings, Environment environment) {
    Filter filter = rules
        .limiter(order, settings)
        .<Filter>map(RateLimitFilter::of)
        .orElse((request, response, chain) -> chain.doFilter(request, response));
    FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
    registration.setName(
        order == RuleOrder.BEFORE_SECURITY ? "tidegateBeforeSecurity" : "tidegateAfterSecurity");
    registration.setOrder(SecurityOrder.servlet(order, environment));
    registration.setEnabled(filter instanceof RateLimitFilter);
    return registration;
  }
}
