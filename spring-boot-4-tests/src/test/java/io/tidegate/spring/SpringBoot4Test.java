package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.core.SpringVersion;

/** The other tests of this module mean something only if they run with Spring Boot 4.0. */
class SpringBoot4Test {

  @Test
  void versionsAreThoseOfSpringBoot4() {
    assertThat(SpringBootVersion.getVersion()).startsWith("4.0.");
    assertThat(SpringVersion.getVersion()).startsWith("7.0.");
    assertThat(RedisClient.class.getPackage().getImplementationVersion()).startsWith("6.8.");
  }
}
