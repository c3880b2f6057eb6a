package io.tidegate.rules.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Decisions that need a read of the origin. */
class WebLimiterWithOriginTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
  private final InMemoryOrigin origin = new InMemoryOrigin();
  private final RateLimiter limiter =
      RateLimiter.builder().clock(time).scheduler(time).origin(origin).build();

  private WebLimiter.Builder builder(WebRule... rules) {
    return WebLimiter.builder(limiter).clock(time).rules(rules);
  }

  private static WebRule.Builder rule(String name, long limit) {
    return WebRule.named(name).limit(Limit.perMinute(limit));
  }

  @AfterEach
  void close() {
    origin.release();
    limiter.close();
  }

  @Test
  void decisionIsCompleteWhenTheOriginHasAnswered() {
    WebLimiter web = builder(rule("api", 1).build()).build();
    origin.hold();
    CompletableFuture<WebDecision> first = web.decide(TestRequest.get("/")).toCompletableFuture();
    assertThat(first).isNotDone();
    origin.release();
    assertThat(first).isCompletedWithValueMatching(WebDecision::allowed);
    assertThat(web.decide(TestRequest.get("/")).toCompletableFuture().join().status())
        .isEqualTo(429);
  }

  @Test
  void severalRulesWaitTogether() {
    WebLimiter web = builder(rule("a", 5).build(), rule("b", 1).build()).build();
    origin.hold();
    CompletableFuture<WebDecision> decision =
        web.decide(TestRequest.get("/")).toCompletableFuture();
    assertThat(decision).isNotDone();
    origin.release();
    assertThat(decision).isCompletedWithValueMatching(WebDecision::allowed);
    assertThat(web.decide(TestRequest.get("/")).toCompletableFuture().join().status())
        .isEqualTo(429);
  }

  @Test
  void originThatDoesNotAnswerDelaysADecisionForABoundedTime() {
    WebLimiter web = builder(rule("api", 1).build()).build();
    origin.hold();
    CompletableFuture<WebDecision> decision =
        web.decide(TestRequest.get("/")).toCompletableFuture();
    time.advance(Duration.ofMillis(310));
    assertThat(decision.join().binding().orElseThrow().decision().degraded()).isTrue();
  }

  /** Time does not pass here, as after a limiter was closed. */
  @Test
  void requestWithoutADecisionIsLetThroughAfterAFewSeconds() {
    WebLimiter web = builder(rule("api", 1).build()).build();
    origin.hold();
    CompletableFuture<WebDecision> decision =
        web.decide(TestRequest.get("/")).toCompletableFuture();
    assertThat(decision).isNotDone();
    assertThat(decision)
        .succeedsWithin(Duration.ofSeconds(20))
        .isEqualTo(new WebDecision(true, 200, List.of(), Map.of(), ""));
  }

  @Test
  void answerDoesNotWaitForShadowRules() {
    List<String> events = new ArrayList<>();
    WebLimiter web = builder(rule("shadow", 1).shadow().build())
        .listener(WebLimiterTest.recorder(events))
        .build();
    origin.hold();
    assertThat(web.decide(TestRequest.get("/")).toCompletableFuture()).isDone();
    assertThat(events).isEmpty();
    origin.release();
    assertThat(events).containsExactly("shadow 203.0.113.7 true");
  }

  /** Servers reuse request objects, so none may be read when the origin answers. */
  @Test
  void requestIsNotReadAfterDecideReturned() {
    TestRequest request = TestRequest.get("/");
    boolean[] returned = {false};
    KeyFunction key = seen -> {
      assertThat(returned[0]).isFalse();
      return seen.remoteAddress();
    };
    WebLimiter web = builder(
            rule("api", 5).key(key).cost(seen -> returned[0] ? 1_000 : 1).build(),
            rule("shadow", 5).key(key).shadow().build())
        .build();
    origin.hold();
    CompletableFuture<WebDecision> decision = web.decide(request).toCompletableFuture();
    returned[0] = true;
    origin.release();
    assertThat(decision.join().allowed()).isTrue();
  }
}
