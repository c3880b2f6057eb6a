package io.tidegate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Limits of methods whose results are cached. */
class CachedMethodTest {

  /** A cached result is an answer as well: limits are on calls, not on work. */
  @Test
  void limitAppliesBeforeTheCache() {
    try (ConfigurableApplicationContext application = new SpringApplicationBuilder(
            Application.class)
        .web(WebApplicationType.NONE)
        .run("--spring.main.banner-mode=off")) {
      Reports reports = application.getBean(Reports.class);
      assertThat(reports.cached()).isEqualTo("report 1");
      assertThat(reports.cached()).isEqualTo("report 1");
      assertThatThrownBy(() -> reports.cached()).isInstanceOf(RateLimitedException.class);
    }
  }

  static class Reports {

    private final AtomicInteger written = new AtomicInteger();

    @RateLimited(name = "cached", limit = 2)
    @Cacheable("reports")
    public String cached() {
      return "report " + written.incrementAndGet();
    }
  }

  @Configuration
  @EnableAutoConfiguration
  @EnableCaching
  static class Application {

    @Bean
    Reports reports() {
      return new Reports();
    }

    @Bean
    CacheManager cacheManager() {
      return new ConcurrentMapCacheManager();
    }
  }
}
