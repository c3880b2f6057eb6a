package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules of a file, applied through a real Envoy. Request headers carry the descriptors. */
@Timeout(120)
class EnvoyRulesTest {

  /** Windows of 30 days, so that none ends during a test. */
  private static final String RULES = """
      domain: edge
      descriptors:
        - key: calls
          rate_limit: {unit: month, requests_per_unit: 3}
        - key: twenty
          rate_limit: {unit: month, requests_per_unit: 20}
        - key: ten
          rate_limit: {unit: year, requests_per_unit: 10}
        - key: shadow
          rate_limit: {unit: month, requests_per_unit: 3}
          shadow_mode: true
        - key: first_quota
          rate_limit: {unit: month, requests_per_unit: 1}
          quota_mode: true
        - key: second_quota
          rate_limit: {unit: month, requests_per_unit: 2}
          quota_mode: true
        - key: detailed
          detailed_metric: true
          rate_limit: {unit: month, requests_per_unit: 3}
        - key: user
          descriptors:
            - key: tier
              value: banned
              rate_limit: {name: banned, unit: month, requests_per_unit: 0}
            - key: tier
              value: basic
              rate_limit: {name: basic, unit: month, requests_per_unit: 1}
            - key: tier
              rate_limit: {name: other, unit: month, requests_per_unit: 3}
        - key: source
          descriptors:
            - key: target
              value: pardon
              rate_limit: {unit: month, requests_per_unit: 2, replaces: [{name: banned}]}
            - key: target
              value: upgrade
              rate_limit: {unit: month, requests_per_unit: 2, replaces: [{name: basic}]}
            - key: target
              value: named
              rate_limit: {name: named, unit: month, requests_per_unit: 2}
        - key: category
          value: account
          rate_limit: {unit: month, requests_per_unit: 4, replaces: [{name: basic}, {name: named}]}
      """;

  private static final List<List<String>> DESCRIPTORS = List.of(
      List.of("calls"),
      List.of("twenty"),
      List.of("ten"),
      List.of("shadow"),
      List.of("first_quota"),
      List.of("second_quota"),
      List.of("detailed"),
      List.of("user", "tier"),
      List.of("source", "target"),
      List.of("category"));

  private static EnvoyScenario envoy;

  /** A value that no other test uses. */
  private String fresh;

  @BeforeAll
  static void start() {
    envoy = EnvoyScenario.start(RULES, EnvoyConfig.patient().withDescriptors(DESCRIPTORS));
  }

  @AfterAll
  static void stop() {
    if (envoy != null) { // null if the class is skipped
      envoy.close();
    }
  }

  @BeforeEach
  void createValue() {
    fresh = UUID.randomUUID().toString();
  }

  @Test
  void requestsBeyondTheLimitAreDeniedAndDoNotReachTheApplication() {
    long before = envoy.gateway().application().requests();
    assertThat(statuses(5, "calls", fresh)).containsExactly(200, 200, 200, 429, 429);
    assertThat(envoy.gateway().application().requests() - before).isEqualTo(3);
    assertThat(statuses(1, "calls", "other " + fresh)).containsExactly(200);
  }

  @Test
  void requestsWithoutADescriptorAreNotLimited() {
    assertThat(statuses(5, "unrelated", fresh)).containsOnly(200);
  }

  @Test
  void shadowRulesNeverDeny() {
    assertThat(statuses(5, "shadow", fresh)).containsOnly(200);
  }

  /** A denied request takes nothing of its other limits, unlike with envoyproxy/ratelimit. */
  @Test
  void aDeniedRequestTakesNothingOfItsOtherLimits() {
    assertThat(statuses(3, "calls", fresh, "user", fresh, "tier", "basic"))
        .containsExactly(200, 429, 429);
    assertThat(statuses(3, "calls", fresh)).containsExactly(200, 200, 429);
  }

  @Test
  void theLowestOfSeveralLimitsDenies() {
    assertThat(statuses(15, "twenty", fresh, "ten", fresh).subList(9, 15))
        .containsExactly(200, 429, 429, 429, 429, 429);
    assertThat(statuses(11, "twenty", fresh).subList(9, 11)).containsExactly(200, 429);
  }

  @Test
  void aRuleReplacesALowerLimit() {
    assertThat(statuses(1, "user", fresh, "tier", "banned")).containsExactly(429);
    assertThat(statuses(1, "user", fresh, "tier", "banned", "source", fresh, "target", "x"))
        .containsExactly(429);
    assertThat(statuses(3, "user", fresh, "tier", "banned", "source", fresh, "target", "pardon"))
        .containsExactly(200, 200, 429);
  }

  @Test
  void aReplacedLimitIsNotUsed() {
    assertThat(statuses(3, "user", fresh, "tier", "basic", "source", fresh, "target", "upgrade"))
        .containsExactly(200, 200, 429);
    assertThat(statuses(2, "user", fresh, "tier", "basic", "source", fresh, "target", "x"))
        .containsExactly(200, 429);
  }

  @Test
  void aRuleReplacesSeveralLimits() {
    String[] all = {"user", fresh, "tier", "basic", "source", fresh, "target", "named"};
    String[] withCategory = {
      "user", fresh, "tier", "basic", "source", fresh, "target", "named", "category", "account"
    };
    assertThat(statuses(5, withCategory)).containsExactly(200, 200, 200, 200, 429);
    assertThat(statuses(2, all)).containsExactly(200, 429);
  }

  @Test
  void aLimitIsReplacedOnlyInRequestsWithTheReplacingRule() {
    assertThat(statuses(3, "user", fresh, "tier", "gold", "source", fresh, "target", "named"))
        .containsExactly(200, 200, 429);
    assertThat(statuses(2, "user", fresh, "tier", "gold")).containsExactly(200, 429);
  }

  @Test
  void quotaRulesDenyWhenAllAreUsedUp() {
    assertThat(statuses(3, "first_quota", fresh, "second_quota", fresh))
        .containsExactly(200, 200, 429);
    assertThat(statuses(1, "first_quota", fresh)).containsExactly(429);
  }

  @Test
  void aDetailedMetricHasTheValueOfTheDescriptor() {
    statuses(4, "detailed", fresh);
    assertThat(envoy.metrics())
        .contains("tidegate_rule_within_limit_total{rule=\"edge.detailed_" + fresh + "\"} 3.0\n")
        .contains("tidegate_rule_over_limit_total{rule=\"edge.detailed_" + fresh + "\"} 1.0\n");
  }

  private static List<Integer> statuses(int count, String... headers) {
    return envoy.statuses(count, "/", headers);
  }
}
