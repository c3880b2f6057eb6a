package io.tidegate.rules.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.rules.DecisionHeaders;
import io.tidegate.rules.PolicyDecision;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebLimiterTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
  private final RateLimiter limiter =
      RateLimiter.builder().clock(time).scheduler(time).build();

  private WebLimiter.Builder builder(WebRule... rules) {
    return WebLimiter.builder(limiter).clock(time).rules(rules);
  }

  private static WebRule.Builder api(long limit) {
    return WebRule.named("api").path("/api/**").limit(Limit.perMinute(limit));
  }

  static WebDecision decide(WebLimiter web, WebRequest request) {
    return web.decide(request).toCompletableFuture().join();
  }

  private static int status(WebLimiter web, WebRequest request) {
    return decide(web, request).status();
  }

  @Test
  void allowsUpToTheLimitOfAKeyThenDeniesWith429() {
    WebLimiter web = builder(api(2).build()).build();
    TestRequest request = TestRequest.get("/api/users");
    assertThat(status(web, request)).isEqualTo(200);
    assertThat(status(web, request)).isEqualTo(200);
    assertThat(status(web, request)).isEqualTo(429);
    assertThat(status(web, TestRequest.get("/api/users").from("203.0.113.8"))).isEqualTo(200);
  }

  @Test
  void requestThatNoRuleMatchesIsUnlimitedAndHasNoHeaders() {
    WebLimiter web = builder(api(0).methods("POST").build()).build();
    for (TestRequest request : List.of(TestRequest.get("/api"), TestRequest.of("POST", "/other"))) {
      assertThat(decide(web, request))
          .isEqualTo(new WebDecision(true, 200, List.of(), Map.of(), ""));
      assertThat(web.decide(request)).isSameAs(web.decide(request));
    }
    assertThat(limiter.stats().series()).isZero();
  }

  @Test
  void countIsInTheWorkspaceAndTheNamespaceOfTheRule() {
    decide(builder(api(10).build()).build(), TestRequest.get("/api"));
    decide(builder(api(10).build()).workspace("acme").build(), TestRequest.get("/api"));
    assertThat(used("default", "api", "203.0.113.7")).isEqualTo(1);
    assertThat(used("acme", "api", "203.0.113.7")).isEqualTo(1);
  }

  private long used(String workspace, String rule, String identifier) {
    LimitRequest peek = LimitRequest.of(workspace, rule, identifier, Limit.perMinute(1_000));
    return limiter.tryAcquire(peek.withCost(0)).effectiveCount();
  }

  private long used(String rule, String identifier) {
    return used("default", rule, identifier);
  }

  @Test
  void allowedRequestHasHeadersAndNoBody() {
    WebDecision decision = decide(builder(api(2).build()).build(), TestRequest.get("/api"));
    assertThat(decision.headers())
        .containsExactly(
            entry("RateLimit-Policy", "\"api\";q=2;w=60"), entry("RateLimit", "\"api\";r=1;t=60"));
    assertThat(decision.body()).isEmpty();
    assertThat(decision.decisions()).extracting(PolicyDecision::policy).containsExactly("api");
    assertThat(decision.binding().orElseThrow().decision().remaining()).isEqualTo(1);
  }

  @Test
  void deniedRequestHasHeadersAndAProblem() {
    WebDecision decision = decide(builder(api(0).build()).build(), TestRequest.get("/api"));
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.headers())
        .containsExactly(
            entry("RateLimit-Policy", "\"api\";q=0;w=60"), entry("RateLimit", "\"api\";r=0"));
    assertThat(decision.body())
        .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
            + "\"title\":\"Request cannot be satisfied as assigned quota has been exceeded\","
            + "\"status\":429,"
            + "\"detail\":\"The limit does not allow this request; waiting does not help.\","
            + "\"violated-policies\":[\"api\"]}");
  }

  @Test
  void retryAfterIsTheTimeAfterWhichTheRequestIsAllowed() {
    WebLimiter web = builder(api(1).build()).build();
    decide(web, TestRequest.get("/api"));
    WebDecision denied = decide(web, TestRequest.get("/api"));
    long seconds = Long.parseLong(denied.headers().get("Retry-After"));
    time.advance(Duration.ofSeconds(seconds - 1));
    assertThat(status(web, TestRequest.get("/api"))).isEqualTo(429);
    time.advance(Duration.ofSeconds(1));
    assertThat(status(web, TestRequest.get("/api"))).isEqualTo(200);
  }

  @Test
  void headersOfTheOldGenerationCanBeChosen() {
    WebLimiter web = builder(api(2).build()).headers(DecisionHeaders.DRAFT_06).build();
    assertThat(decide(web, TestRequest.get("/api")).headers())
        .containsExactly(
            entry("RateLimit-Limit", "2"),
            entry("RateLimit-Remaining", "1"),
            entry("RateLimit-Reset", "60"));
  }

  @Test
  void withoutHeadersOnlyADenialHasRetryAfter() {
    WebLimiter web = builder(api(1).build()).withoutHeaders().build();
    assertThat(decide(web, TestRequest.get("/api")).headers()).isEmpty();
    assertThat(decide(web, TestRequest.get("/api")).headers()).containsOnlyKeys("Retry-After");
    WebLimiter never = builder(api(0).build()).withoutHeaders().build();
    assertThat(decide(never, TestRequest.get("/api")).headers()).isEmpty();
  }

  @Test
  void costsAreTaken() {
    WebLimiter constant = builder(api(10).cost(4).build()).build();
    assertThat(status(constant, TestRequest.get("/api"))).isEqualTo(200);
    assertThat(status(constant, TestRequest.get("/api"))).isEqualTo(200);
    assertThat(status(constant, TestRequest.get("/api"))).isEqualTo(429);
    WebRule byPath = api(10).cost(request -> request.path().length()).build();
    decide(builder(byPath).build(), TestRequest.get("/api").from("192.0.2.1"));
    assertThat(used("api", "192.0.2.1")).isEqualTo(4);
  }

  @Test
  void conditionThatIsNotFulfilledLeavesTheRuleOut() {
    WebLimiter web = builder(
            api(0).when(request -> request.header("X-Internal") == null).build())
        .build();
    assertThat(status(web, TestRequest.get("/api").withHeader("X-Internal", "1")))
        .isEqualTo(200);
    assertThat(status(web, TestRequest.get("/api"))).isEqualTo(429);
  }

  // Several rules

  private static WebRule perKey(String name, long limit) {
    return WebRule.named(name)
        .key(KeyFunction.header("X-Key"))
        .limit(Limit.perMinute(limit))
        .build();
  }

  private static TestRequest keyed(String key) {
    return TestRequest.get("/api").withHeader("X-Key", key);
  }

  @Test
  void severalRulesAreChargedAllOrNothing() {
    WebLimiter web = builder(api(3).build(), perKey("key", 1)).build();
    assertThat(status(web, keyed("a"))).isEqualTo(200);
    WebDecision denied = decide(web, keyed("a"));
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.body()).contains("\"violated-policies\":[\"key\"]");
    assertThat(denied.binding().orElseThrow().policy()).isEqualTo("key");
    assertThat(denied.headers().get("RateLimit-Policy"))
        .isEqualTo("\"api\";q=3;w=60, \"key\";q=1;w=60");
    assertThat(denied.headers().get("RateLimit")).startsWith("\"key\";r=0;");
    assertThat(used("api", "203.0.113.7")).isEqualTo(1);
    assertThat(used("key", "a")).isEqualTo(1);
  }

  @Test
  void denialOfTheFirstRuleIsEnough() {
    WebLimiter web = builder(perKey("key", 0), api(3).build()).build();
    WebDecision denied = decide(web, keyed("a"));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.status()).isEqualTo(429);
  }

  @Test
  void ruleThatDoesNotMatchIsNotPartOfTheDecision() {
    WebRule other =
        WebRule.named("other").path("/other").limit(Limit.perMinute(0)).build();
    WebLimiter web = builder(other, api(3).build(), perKey("key", 1)).build();
    assertThat(decide(web, keyed("a")).decisions())
        .extracting(PolicyDecision::policy)
        .containsExactly("api", "key");
  }

  @Test
  void threeRulesKeepTheirOrder() {
    WebLimiter web = builder(perKey("c", 5), perKey("a", 5), perKey("b", 5)).build();
    assertThat(decide(web, keyed("x")).decisions())
        .extracting(PolicyDecision::policy)
        .containsExactly("c", "a", "b");
  }

  @Test
  void limiterWithSomeOfTheRulesSharesTheirCounts() {
    WebLimiter web = builder(api(1).build(), perKey("key", 1)).build();
    WebLimiter only = web.only(List.of("key"));
    assertThat(only.rules()).extracting(WebRule::name).containsExactly("key");
    assertThat(status(only, keyed("a"))).isEqualTo(200);
    assertThat(status(web, keyed("a"))).isEqualTo(429);
    assertThatThrownBy(() -> web.only(List.of("api", "kye")))
        .hasMessage("no rule has the name [kye]; names of rules: [api, key]");
    assertThatThrownBy(() -> web.only(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  // Keys

  @Test
  void requestsWithoutAKeyShareACountThatNoKeyHas() {
    WebLimiter web = builder(perKey("key", 2)).build();
    assertThat(status(web, TestRequest.get("/"))).isEqualTo(200);
    assertThat(status(web, keyed(" "))).isEqualTo(200);
    assertThat(status(web, TestRequest.get("/").from("192.0.2.9"))).isEqualTo(429);
    assertThat(status(web, keyed("\\shared"))).isEqualTo(200);
    assertThat(status(web, keyed("shared"))).isEqualTo(200);
    assertThat(used("key", "\\shared")).isEqualTo(2);
    assertThat(used("key", "\\\\shared")).isEqualTo(1);
  }

  @Test
  void keysThatBeginWithBackslashesStayDifferent() {
    WebLimiter web = builder(perKey("key", 1)).build();
    for (String key : List.of("a", "\\a", "\\\\a", "\\", "\\\\")) {
      assertThat(status(web, keyed(key))).as(key).isEqualTo(200);
    }
  }

  @Test
  void ruleSkipsRequestsWithoutAKey() {
    WebRule rule = WebRule.named("key")
        .key(KeyFunction.header("X-Key"))
        .missingKey(MissingKey.SKIP)
        .limit(Limit.perMinute(0))
        .build();
    WebLimiter web = builder(rule).build();
    assertThat(decide(web, TestRequest.get("/")).decisions()).isEmpty();
    assertThat(status(web, keyed("a"))).isEqualTo(429);
    assertThat(decide(builder(rule, api(5).build()).build(), TestRequest.get("/api"))
            .decisions())
        .extracting(PolicyDecision::policy)
        .containsExactly("api");
  }

  @Test
  void ruleDeniesRequestsWithoutAKeyAndNothingIsCharged() {
    WebRule rule = WebRule.named("key \"1\"")
        .key(KeyFunction.header("X-Key"))
        .missingKey(MissingKey.DENY)
        .limit(Limit.perMinute(5))
        .build();
    WebLimiter web = builder(api(5).build(), rule).build();
    WebDecision denied = decide(web, TestRequest.get("/api"));
    assertThat(denied.status()).isEqualTo(403);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.decisions()).isEmpty();
    assertThat(denied.binding()).isEmpty();
    assertThat(denied.headers()).isEmpty();
    assertThat(denied.body())
        .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Request has no key for a rate limit\","
            + "\"status\":403,"
            + "\"detail\":\"The limit needs a key that the request does not have.\","
            + "\"violated-policies\":[\"key \\\"1\\\"\"]}");
    assertThat(limiter.stats().series()).isZero();
  }

  @Test
  void longKeysAreShortenedAndStayDifferent() {
    WebLimiter web = builder(perKey("key", 1)).build();
    String longKey = "k".repeat(10_000);
    assertThat(status(web, keyed(longKey + "a"))).isEqualTo(200);
    assertThat(status(web, keyed(longKey + "b"))).isEqualTo(200);
    assertThat(status(web, keyed(longKey + "a"))).isEqualTo(429);
    assertThat(status(web, keyed("\\".repeat(512)))).isEqualTo(200);
    assertThat(status(web, keyed("\ud83d\ude00".repeat(513)))).isEqualTo(200);
  }

  // Limits by key

  @Test
  void limitProviderChangesLimitsWithoutLosingCounts() {
    Map<String, Limit> plans = new HashMap<>();
    WebLimiter web = builder(perKey("key", 1))
        .limits((rule, key) -> plans.get(rule + "/" + key))
        .build();
    assertThat(status(web, keyed("a"))).isEqualTo(200);
    assertThat(status(web, keyed("a"))).isEqualTo(429);
    plans.put("key/a", Limit.perMinute(3));
    assertThat(decide(web, keyed("a")).headers().get("RateLimit")).startsWith("\"key\";r=1;");
    assertThat(status(web, keyed("b"))).isEqualTo(200);
    assertThat(status(web, keyed("b"))).isEqualTo(429);
  }

  @Test
  void limitOfAnotherWindowHasItsOwnCountAndShowsItsWindow() {
    WebLimiter web =
        builder(perKey("key", 1)).limits((rule, key) -> Limit.perHour(5)).build();
    WebDecision decision = decide(web, keyed("a"));
    assertThat(decision.headers().get("RateLimit-Policy")).isEqualTo("\"key\";q=5;w=3600");
    assertThat(decision.decisions().get(0).windowMillis()).isEqualTo(3_600_000);
    assertThat(used("key", "a")).isZero();
  }

  @Test
  void sharedCountHasTheLimitOfTheRule() {
    WebLimiter web = builder(perKey("key", 1))
        .limits((rule, key) -> {
          throw new AssertionError("called without a key: " + key);
        })
        .build();
    assertThat(status(web, TestRequest.get("/"))).isEqualTo(200);
    assertThat(status(web, TestRequest.get("/"))).isEqualTo(429);
  }

  // Shadow rules

  @Test
  void shadowRuleCountsAndReportsButNeitherDeniesNorShows() {
    List<String> events = new ArrayList<>();
    WebRule shadow = WebRule.named("shadow").limit(Limit.perMinute(1)).shadow().build();
    WebLimiter web = builder(shadow, api(5).build()).listener(recorder(events)).build();
    decide(web, TestRequest.get("/api"));
    WebDecision second = decide(web, TestRequest.get("/api"));
    assertThat(second.allowed()).isTrue();
    assertThat(second.headers().get("RateLimit-Policy")).isEqualTo("\"api\";q=5;w=60");
    assertThat(second.decisions()).extracting(PolicyDecision::policy).containsExactly("api");
    assertThat(events)
        .containsExactly(
            "api 203.0.113.7 true",
            "shadow 203.0.113.7 true",
            "api 203.0.113.7 true",
            "shadow 203.0.113.7 false");
    assertThat(used("shadow", "203.0.113.7")).isEqualTo(1);
  }

  @Test
  void shadowRuleAloneLeavesTheRequestUnlimited() {
    WebRule shadow = WebRule.named("shadow").limit(Limit.perMinute(5)).shadow().build();
    WebLimiter web = builder(shadow).build();
    assertThat(decide(web, TestRequest.get("/")))
        .isEqualTo(new WebDecision(true, 200, List.of(), Map.of(), ""));
    assertThat(used("shadow", "203.0.113.7")).isEqualTo(1);
  }

  @Test
  void shadowRuleIsOnlyPeekedAtIfTheOthersDenied() {
    List<String> events = new ArrayList<>();
    WebRule shadow = WebRule.named("shadow").limit(Limit.perMinute(5)).shadow().build();
    WebLimiter web = builder(api(0).build(), shadow).listener(recorder(events)).build();
    decide(web, TestRequest.get("/api"));
    assertThat(used("shadow", "203.0.113.7")).isZero();
    assertThat(events).containsExactly("api 203.0.113.7 false", "shadow 203.0.113.7 true");
  }

  @Test
  void shadowRuleNeverDeniesWithoutAKey() {
    WebRule shadow = WebRule.named("shadow")
        .key(KeyFunction.header("X-Key"))
        .missingKey(MissingKey.DENY)
        .limit(Limit.perMinute(0))
        .shadow()
        .build();
    List<String> events = new ArrayList<>();
    WebLimiter web = builder(shadow).listener(recorder(events)).build();
    assertThat(status(web, TestRequest.get("/"))).isEqualTo(200);
    assertThat(events).containsExactly("shadow has no key");
  }

  static WebListener recorder(List<String> events) {
    return new WebListener() {
      @Override
      public void decided(WebRule rule, String key, Decision decision) {
        events.add(rule.name() + " " + key + " " + decision.allowed());
      }

      @Override
      public void keyMissing(WebRule rule) {
        events.add(rule.name() + " has no key");
      }

      @Override
      public void functionFailed(WebRule rule, String function, Exception failure) {
        events.add(rule.name() + " " + function + " " + failure.getMessage());
      }
    };
  }

  // Building

  @Test
  void limiterWithoutRulesIsRejected() {
    assertThatThrownBy(() -> WebLimiter.builder(limiter).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("number of rules must be between 1 and 1000: 0");
  }

  @Test
  void twoRulesWithOneNameAreRejected() {
    assertThatThrownBy(() -> builder(api(1).build(), api(2).shadow().build()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two rules have the name \"api\"");
  }

  @Test
  void rulesAreListedInTheirOrder() {
    WebRule shadow = WebRule.named("shadow").limit(Limit.perMinute(5)).shadow().build();
    assertThat(builder(shadow, api(1).build()).build().rules())
        .extracting(WebRule::name)
        .containsExactly("shadow", "api");
  }

  @Test
  void decisionIsUnmodifiable() {
    WebDecision decision = decide(builder(api(2).build()).build(), TestRequest.get("/api"));
    assertThatThrownBy(() -> decision.headers().put("a", "b"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> decision.decisions().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
