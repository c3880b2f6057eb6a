package io.tidegate.spring.test;

import io.tidegate.spring.TidegateAutoConfiguration;
import io.tidegate.testing.VirtualTime;
import java.time.Instant;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** The clock and the scheduler of the limiter in tests with {@link AutoConfigureTidegate}. */
@AutoConfiguration(before = TidegateAutoConfiguration.class)
class VirtualTimeAutoConfiguration {

  /** At the start of windows of all usual lengths. */
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  /** Primary, because a {@code Clock} of the application is a source of time as well. */
  @Bean
  @Primary
  @ConditionalOnMissingBean
  VirtualTime tidegateVirtualTime() {
    return VirtualTime.startingAt(START);
  }
}
