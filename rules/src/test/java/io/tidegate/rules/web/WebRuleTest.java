package io.tidegate.rules.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.model.Limit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebRuleTest {

  private static final Limit LIMIT = Limit.perMinute(10);

  @Test
  void nameAndLimitSuffice() {
    WebRule rule = WebRule.named("all").limit(LIMIT).build();
    assertThat(rule.name()).isEqualTo("all");
    assertThat(rule.path()).isEqualTo("/**");
    assertThat(rule.methods()).isEmpty();
    assertThat(rule.limit()).isEqualTo(LIMIT);
    assertThat(rule.missingKey()).isEqualTo(MissingKey.SHARED);
    assertThat(rule.isShadow()).isFalse();
    assertThat(rule.key().keyOf(TestRequest.get("/"))).isEqualTo("203.0.113.7");
    assertThat(rule.cost().applyAsLong(TestRequest.get("/"))).isEqualTo(1);
    assertThat(rule.covers(TestRequest.of("DELETE", "/any/path"))).isTrue();
  }

  @Test
  void coversAPathThatWasSentAndThatWhichTheServerMadeOfIt() {
    WebRule rule = WebRule.named("api").path("/api/**").limit(LIMIT).build();
    assertThat(rule.covers(TestRequest.get("/x").sentAs("/api/../x"))).isTrue();
    assertThat(rule.covers(TestRequest.get("/api/x").sentAs("/y/../api/x"))).isTrue();
    assertThat(rule.covers(TestRequest.get("/x").sentAs("/y/../x"))).isFalse();
  }

  @Test
  void coversItsMethodsAndPathsOnly() {
    WebRule rule =
        WebRule.named("x").path("/a/**").methods("POST", "PUT").limit(LIMIT).build();
    assertThat(rule.covers(TestRequest.of("POST", "/a/b"))).isTrue();
    assertThat(rule.covers(TestRequest.of("PUT", "/a"))).isTrue();
    assertThat(rule.covers(TestRequest.of("GET", "/a"))).isFalse();
    assertThat(rule.covers(TestRequest.of("POST", "/b"))).isFalse();
  }

  /** Servers answer HEAD with the handlers of GET, so it would evade the limit. */
  @Test
  void getIncludesHead() {
    WebRule rule = WebRule.named("x").methods("GET").limit(LIMIT).build();
    assertThat(rule.covers(TestRequest.of("HEAD", "/"))).isTrue();
    assertThat(WebRule.named("x").methods("HEAD").limit(LIMIT).build().covers(TestRequest.get("/")))
        .isFalse();
  }

  @Test
  void textIsOneLineForLogs() {
    assertThat(WebRule.named("up")
            .path("/a/**")
            .methods("POST")
            .missingKey(MissingKey.DENY)
            .limit(LIMIT)
            .shadow()
            .build())
        .hasToString("rule \"up\": 10 per PT1M on POST of /a/**, without a key: DENY, shadow");
    assertThat(WebRule.named("all").limit(LIMIT).build())
        .hasToString("rule \"all\": 10 per PT1M on all methods of /**");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "get | unknown method \"get\": did you mean GET?",
        "POTS | unknown method \"POTS\": did you mean POST?",
        "PATHC | unknown method \"PATHC\": did you mean PATCH?",
        "PATH | unknown method \"PATH\": did you mean PATCH?",
        "DELTE | unknown method \"DELTE\": did you mean DELETE?",
        "'GET ' | unknown method \"GET \": did you mean GET?",
        "PROPFIND | unknown method \"PROPFIND\": must be one of GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS, TRACE, CONNECT",
        "'GET,POST' | unknown method \"GET,POST\": must be one of GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS, TRACE, CONNECT",
        "'' | unknown method \"\": must be one of GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS, TRACE, CONNECT"
      })
  void unknownMethodIsRejectedWithASuggestion(String method, String message) {
    assertThatThrownBy(() -> WebRule.named("x").methods("GET", method))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void emptyMethodsAreRejected() {
    assertThatThrownBy(() -> WebRule.named("x").methods(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("methods must not be empty: leave them out to limit all");
  }

  @Test
  void ruleWithoutALimitIsRejected() {
    assertThatThrownBy(() -> WebRule.named("login").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rule \"login\" has no limit");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1_000_000_000_001L})
  void costOutOfRangeIsRejected(long cost) {
    assertThatThrownBy(() -> WebRule.named("x").cost(cost))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cost must be between 0 and 1000000000000: " + cost);
  }

  @Test
  void costThatLimitsNothingIsRejected() {
    assertThatThrownBy(() -> WebRule.named("x").cost(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cost of rule \"x\" must not be 0: it would limit nothing");
  }

  @Test
  void nameThatIsBlankOrTooLongIsRejected() {
    assertThatThrownBy(() -> WebRule.named("")).hasMessage("name of a rule must not be empty");
    assertThatThrownBy(() -> WebRule.named(" "))
        .hasMessage("name of a rule must not be blank: \" \"");
    assertThatThrownBy(() -> WebRule.named("x".repeat(513)))
        .hasMessageContaining("name of a rule must have at most 512 characters");
  }

  @Test
  void badPathIsRejected() {
    assertThatThrownBy(() -> WebRule.named("x").path("api"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("path \"api\" must start with /");
  }
}
