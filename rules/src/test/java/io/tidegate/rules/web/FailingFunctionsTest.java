package io.tidegate.rules.web;

import static io.tidegate.rules.web.WebLimiterTest.recorder;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Functions and listeners of the application that throw exceptions. */
class FailingFunctionsTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
  private final RateLimiter limiter =
      RateLimiter.builder().clock(time).scheduler(time).build();

  private WebLimiter.Builder builder(WebRule... rules) {
    return WebLimiter.builder(limiter).clock(time).rules(rules);
  }

  private static WebRule.Builder api(long limit) {
    return WebRule.named("api").path("/api/**").limit(Limit.perMinute(limit));
  }

  private static int status(WebLimiter web, WebRequest request) {
    return WebLimiterTest.decide(web, request).status();
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // returns nothing, so it fits every function
  private static <T> T fail(String message) {
    throw new IllegalStateException(message);
  }

  @Test
  void failingKeyFunctionCountsAsNoKey() {
    List<String> events = new ArrayList<>();
    WebRule.Builder rule =
        WebRule.named("bad").key(request -> fail("oops")).limit(Limit.perMinute(1));
    WebLimiter shared = builder(rule.build()).listener(recorder(events)).build();
    assertThat(status(shared, TestRequest.get("/"))).isEqualTo(200);
    assertThat(status(shared, TestRequest.get("/").from("192.0.2.9"))).isEqualTo(429);
    assertThat(events)
        .startsWith("bad key oops", "bad has no key", "bad null true", "bad key oops");
    assertThat(
            status(builder(rule.missingKey(MissingKey.SKIP).build()).build(), TestRequest.get("/")))
        .isEqualTo(200);
    assertThat(
            status(builder(rule.missingKey(MissingKey.DENY).build()).build(), TestRequest.get("/")))
        .isEqualTo(403);
  }

  @Test
  void failingConditionAppliesTheRule() {
    List<String> events = new ArrayList<>();
    WebRule rule = api(0).when(request -> fail("oops")).build();
    WebLimiter web = builder(rule).listener(recorder(events)).build();
    assertThat(status(web, TestRequest.get("/api"))).isEqualTo(429);
    assertThat(events).containsExactly("api when oops", "api 203.0.113.7 false");
    assertThat(status(web, TestRequest.get("/other"))).isEqualTo(200);
  }

  @Test
  void failingOrNegativeCostIsOneAndAHugeCostIsTheHighest() {
    List<String> events = new ArrayList<>();
    WebRule failing = api(1).cost(request -> fail("oops")).build();
    WebLimiter web = builder(failing).listener(recorder(events)).build();
    assertThat(status(web, TestRequest.get("/api"))).isEqualTo(200);
    assertThat(status(web, TestRequest.get("/api"))).isEqualTo(429);
    assertThat(events).startsWith("api cost oops");
    WebLimiter negative = builder(api(1).cost(request -> -5).build()).build();
    assertThat(status(negative, TestRequest.get("/api").from("192.0.2.1"))).isEqualTo(200);
    assertThat(status(negative, TestRequest.get("/api").from("192.0.2.1"))).isEqualTo(429);
    WebLimiter huge = builder(api(1).cost(request -> Long.MAX_VALUE).build()).build();
    assertThat(status(huge, TestRequest.get("/api").from("192.0.2.2"))).isEqualTo(429);
  }

  @Test
  void costOfZeroTakesNothing() {
    WebLimiter web = builder(api(1).cost(request -> 0).build()).build();
    for (int i = 0; i < 5; i++) {
      assertThat(status(web, TestRequest.get("/api"))).isEqualTo(200);
    }
  }

  @Test
  void failingLimitProviderLeavesTheLimitOfTheRule() {
    List<String> events = new ArrayList<>();
    WebLimiter web = builder(api(1).key(KeyFunction.header("X-Key")).build())
        .limits((rule, key) -> fail("no plans"))
        .listener(recorder(events))
        .build();
    assertThat(status(web, TestRequest.get("/api").withHeader("X-Key", "a"))).isEqualTo(200);
    assertThat(status(web, TestRequest.get("/api").withHeader("X-Key", "a"))).isEqualTo(429);
    assertThat(events).startsWith("api limit no plans", "api a true");
  }

  @Test
  void listenerThatFailsChangesNothing() {
    WebListener bad = new WebListener() {
      @Override
      public void decided(WebRule rule, String key, Decision decision) {
        fail("decided");
      }

      @Override
      public void keyMissing(WebRule rule) {
        fail("keyMissing");
      }

      @Override
      public void functionFailed(WebRule rule, String function, Exception failure) {
        fail("functionFailed");
      }
    };
    WebRule rule =
        WebRule.named("x").key(request -> fail("key")).limit(Limit.perMinute(1)).build();
    WebLimiter web = builder(rule).listener(bad).build();
    assertThat(status(web, TestRequest.get("/"))).isEqualTo(200);
    assertThat(status(web, TestRequest.get("/"))).isEqualTo(429);
  }

  @Test
  void failuresAreLoggedAtMostOnceAMinutePerRule() {
    List<String> lines = new ArrayList<>();
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord line) {
        lines.add(line.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    Logger logger = Logger.getLogger("io.tidegate");
    logger.addHandler(handler);
    try {
      WebRule.Builder rule = WebRule.named("a").key(request -> fail("x")).limit(Limit.perHour(9));
      WebRule other =
          WebRule.named("b").cost(request -> fail("x")).limit(Limit.perHour(9)).build();
      WebLimiter web = builder(rule.build(), other).build();
      WebLimiterTest.decide(web, TestRequest.get("/"));
      time.advance(Duration.ofMillis(59_999));
      WebLimiterTest.decide(web, TestRequest.get("/"));
      assertThat(lines)
          .containsExactly(
              "The key function of rule \"a\" failed; the request counts as one without a key"
                  + " (logged at most once a minute)",
              "The cost function of rule \"b\" failed; the cost is 1"
                  + " (logged at most once a minute)");
      time.advance(Duration.ofMillis(1));
      WebLimiterTest.decide(web, TestRequest.get("/"));
      assertThat(lines).hasSize(4);
    } finally {
      logger.removeHandler(handler);
    }
  }
}
