package io.tidegate.spring.method;

import io.tidegate.RateLimiter;
import io.tidegate.spring.TidegateProperties;
import io.tidegate.spring.TidegateWebAutoConfiguration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.web.bind.annotation.ControllerAdvice;

/**
 * Makes {@link RateLimited} work. Needs neither AspectJ nor {@code @EnableAspectJAutoProxy};
 * switched off with {@code tidegate.enabled=false}.
 */
@AutoConfiguration(after = TidegateWebAutoConfiguration.class)
@ConditionalOnBean(RateLimiter.class)
@ConditionalOnProperty(name = "tidegate.enabled", matchIfMissing = true)
public class TidegateMethodAutoConfiguration {

  /**
   * Boot does the same, unless the application switches it off, which must not switch off limits.
   */
  @Bean
  static BeanFactoryPostProcessor tidegateAutoProxyRegistration() {
    return beans -> {
      if (beans instanceof BeanDefinitionRegistry registry) {
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
      }
    };
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static MethodLimits tidegateMethodLimits(ConfigurableListableBeanFactory beans) {
    return new MethodLimits(beans);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static RateLimitedAdvisor tidegateRateLimitedAdvisor(
      MethodLimits limits, ConfigurableListableBeanFactory beans) {
    return new RateLimitedAdvisor(
        limits, new RateLimitedInterceptor(limits, () -> executor(beans)));
  }

  /** The executor of Boot for asynchronous work; its threads load classes of the application. */
  private static Executor executor(ListableBeanFactory beans) {
    String name = "applicationTaskExecutor";
    return beans.containsBean(name)
        ? beans.getBean(name, Executor.class)
        : ForkJoinPool.commonPool();
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static StartCheck tidegateMethodStartCheck(
      MethodLimits limits, ConfigurableListableBeanFactory beans) {
    return new StartCheck(limits, beans);
  }

  /** Answers web requests whose handler threw a {@link RateLimitedException}. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication
  @ConditionalOnClass(ControllerAdvice.class)
  static class Web {

    @Bean
    @ConditionalOnMissingBean
    RateLimitedExceptionHandler tidegateRateLimitedExceptionHandler(
        TidegateProperties properties,
        ObjectProvider<InstantSource> clock,
        ListableBeanFactory beans) {
      return new RateLimitedExceptionHandler(
          properties.headers(), clock.getIfUnique(InstantSource::system), beans);
    }
  }
}
