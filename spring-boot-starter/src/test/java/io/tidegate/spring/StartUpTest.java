package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.spring.method.RateLimited;
import io.tidegate.spring.testing.Front;
import io.tidegate.spring.testing.Hello;
import io.tidegate.spring.testing.TestApplication;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import io.tidegate.testkit.RedisServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What the log shows at the start, and which beans an application can replace. */
class StartUpTest {

  /** Returns what was printed while an application started and stopped. */
  private static String printed(Supplier<AutoCloseable> application) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      application.get().close();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void everyRuleHasALineAndCountsHaveAPlace() throws Exception {
    String printed = printed(() -> TestApplication.start(
        Front.MVC,
        Hello.class,
        "tidegate.rules[0].name=api",
        "tidegate.rules[0].path=/api/**",
        "tidegate.rules[0].methods=POST",
        "tidegate.rules[0].limit=100",
        "tidegate.rules[0].window=60s",
        "tidegate.rules[1].name=users",
        "tidegate.rules[1].key=principal",
        "tidegate.rules[1].limit=5",
        "tidegate.rules[1].window=2h",
        "tidegate.rules[1].cost=path.length()",
        "tidegate.rules[1].when=method != 'GET'",
        "tidegate.rules[1].missing-key=deny",
        "tidegate.rules[1].shadow=true"));
    assertThat(printed)
        .contains(
            "Counts are in the memory of this process only; set tidegate.redis-uri to share them.")
        .contains(
            "Rule \"api\" limits POST /api/** to 100 per 1m for each clientAddress, before security.")
        .contains("Rule \"users\" limits /** to 5 per 2h for each principal, cost path.length(),"
            + " when method != 'GET', without a key: DENY, after security,"
            + " as a shadow rule that denies nothing.");
  }

  @Test
  void everyLimitedMethodHasALine() throws Exception {
    assertThat(printed(() -> TestApplication.start(Front.MVC, Mails.class)))
        .contains("Mails.send is limited: \"mail\" to 3 per 1h for each #to,"
            + " \"all\" to 100 per 1m.");
  }

  /** An application with a limited method. */
  @Configuration(proxyBeanMethods = false)
  @Import(Hello.class)
  static class Mails {

    @RateLimited(name = "mail", key = "#to", limit = 3, window = "1h")
    @RateLimited(name = "all", limit = 100)
    public void send(String to) {}
  }

  @Test
  void applicationWithoutRulesSaysSo() throws Exception {
    assertThat(printed(() -> TestApplication.start(Front.WEBFLUX, Hello.class)))
        .contains("There are no tidegate.rules: no request is limited by a rule.");
  }

  @Test
  void placeOfCountsHasNoPassword() throws Exception {
    try (RedisServer redis = RedisServer.start("--requirepass", "hush-hush")) {
      String printed = printed(() -> TestApplication.start(
          Front.WEBFLUX,
          Hello.class,
          "tidegate.redis-uri=redis://:hush-hush@127.0.0.1:" + redis.port()));
      assertThat(printed)
          .contains("Counts are shared through Redis at redis://127.0.0.1:" + redis.port() + ".")
          .doesNotContain("hush");
    }
  }

  @Test
  void rulesWithoutAWebApplicationAreReported() throws Exception {
    assertThat(printed(() -> TestApplication.startWithoutWeb(
            Plain.class,
            "tidegate.rules[0].name=api",
            "tidegate.rules[0].limit=1",
            "tidegate.rules[0].window=1m")))
        .contains("this is no web application: nothing is limited");
  }

  @Test
  void disabledApplicationLimitsNothingAndConnectsToNothing() {
    try (TestApplication app = TestApplication.start(
        Front.MVC,
        Hello.class,
        "tidegate.enabled=false",
        "tidegate.redis-uri=redis://127.0.0.1:1",
        "tidegate.rules[0].name=api",
        "tidegate.rules[0].limit=0",
        "tidegate.rules[0].window=1m")) {
      assertThat(app.get("/").statusCode()).isEqualTo(200);
      assertThat(app.get("/").headers().firstValue("RateLimit")).isEmpty();
      assertThat(app.context().getBean(RateLimiter.class)).isNotNull();
    }
  }

  @Test
  void headersCanBeOldOrAbsent() {
    for (String headers : new String[] {"draft-06", "none"}) {
      try (TestApplication app = TestApplication.start(
          Front.WEBFLUX,
          Hello.class,
          "tidegate.headers=" + headers,
          "tidegate.rules[0].name=api",
          "tidegate.rules[0].limit=1",
          "tidegate.rules[0].window=1h")) {
        var allowed = app.get("/").headers();
        assertThat(allowed.firstValue("RateLimit-Policy")).isEmpty();
        assertThat(allowed.firstValue("RateLimit-Limit").isPresent())
            .isEqualTo(headers.equals("draft-06"));
        var denied = app.get("/").headers();
        assertThat(denied.firstValue("Retry-After")).isPresent();
        assertThat(denied.firstValue("RateLimit-Limit").isPresent())
            .isEqualTo(headers.equals("draft-06"));
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Plain {}

  @Configuration(proxyBeanMethods = false)
  @Import(Plain.class)
  static class OwnLimiter {

    @Bean
    RateLimiter mine() {
      return RateLimiter.inMemory();
    }
  }

  @Test
  void limiterOfTheApplicationIsKept() {
    try (ConfigurableApplicationContext context =
        TestApplication.startWithoutWeb(OwnLimiter.class)) {
      assertThat(context.getBeanNamesForType(RateLimiter.class)).containsExactly("mine");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Hello.class)
  static class OwnParts {

    @Bean
    VirtualTime time() {
      return VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
    }

    @Bean
    InMemoryOrigin origin(VirtualTime time) {
      return new InMemoryOrigin();
    }
  }

  @Test
  void limiterUsesTheTimeAndTheOriginOfTheApplication() throws Exception {
    try (TestApplication app = TestApplication.start(
        Front.MVC,
        OwnParts.class,
        "tidegate.redis-uri=redis://127.0.0.1:1", // not used
        "tidegate.rules[0].name=api",
        "tidegate.rules[0].limit=1",
        "tidegate.rules[0].window=1h")) {
      VirtualTime time = app.context().getBean(VirtualTime.class);
      assertThat(app.statuses(2, "/")).containsExactly(200, 429);
      assertThat(app.get("/").headers().firstValue("Retry-After")).contains("3601");
      time.advance(Duration.ofHours(2));
      assertThat(app.get("/").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void limiterIsClosedWithTheContext() {
    TestApplication app = TestApplication.start(Front.WEBFLUX, OwnParts.class);
    VirtualTime time = app.context().getBean(VirtualTime.class);
    RateLimiter limiter = app.context().getBean(RateLimiter.class);
    limiter.tryAcquire(LimitRequest.of("w", "n", "i", Limit.perSecond(1)));
    app.close();
    time.advance(Duration.ofHours(1)); // would expire the series if periodic work went on
    assertThat(limiter.stats().series()).isEqualTo(1);
  }
}
