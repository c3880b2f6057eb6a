package io.tidegate.server.service;

import static io.tidegate.server.service.RuleServiceFixture.allowed;
import static io.tidegate.server.service.RuleServiceFixture.decision;
import static io.tidegate.server.service.RuleServiceFixture.descriptor;
import static io.tidegate.server.service.RuleServiceFixture.entries;
import static io.tidegate.server.service.RuleServiceFixture.hits;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.Namespace;
import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.rules.RuleLimit;
import io.tidegate.rules.RuleNode;
import io.tidegate.rules.RuleNode.Option;
import io.tidegate.server.log.LogFormat;
import io.tidegate.server.log.LogLevel;
import io.tidegate.server.log.Logging;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decisions on descriptors, without a protocol. The count of a rule is visible by a peek. */
@Timeout(60)
class RuleServiceTest {

  @TempDir
  static Path directory;

  private static ServiceFixture node;

  private RuleServiceFixture edge;

  @BeforeAll
  static void startNode() throws Exception {
    node = new ServiceFixture(directory);
    node.start();
  }

  @AfterAll
  static void stopNode() {
    node.close();
  }

  @BeforeEach
  void start() {
    edge = new RuleServiceFixture(node);
  }

  @AfterEach
  void stop() {
    edge.limiter.close();
  }

  private static RuleNode perMinute(String key, long limit) {
    return RuleNode.of(key).withLimit(RuleLimit.of(limit, "minute"));
  }

  private static RuleNode quota(String key, long limit) {
    return perMinute(key, limit).with(Option.QUOTA_MODE);
  }

  private static RuleNode shadow(String key, long limit) {
    return perMinute(key, limit).with(Option.SHADOW_MODE);
  }

  /** A rule whose limits are never exceeded, not even by an explicit number of hits. */
  private static RuleNode withoutRecord(String key, long limit) {
    return new RuleNode(0, key, "", RuleLimit.of(limit, "minute"), List.of(), Set.of(), Map.of());
  }

  // Which limit applies

  @Test
  void noLimitAppliesInAnUnknownDomain() {
    edge.rules(perMinute("user", 0));
    RuleResult result = edge.askOf("elsewhere", 0, descriptor("user", "a"));
    assertThat(result.allowed()).isTrue();
    assertThat(result.descriptors()).containsExactly(new DescriptorResult(true, null, null, 1, 0));
    assertThat(edge.observed.take()).containsExactly("unknown domain");
  }

  @Test
  void noLimitAppliesWhereNoRuleMatches() {
    edge.rules(perMinute("user", 0));
    assertThat(edge.ask(descriptor("other", "a")).descriptors())
        .containsExactly(new DescriptorResult(true, null, null, 1, 0));
    assertThat(edge.observed.take()).isEmpty();
  }

  @Test
  void resultsHaveTheOrderAndNumberOfTheDescriptors() {
    edge.rules(perMinute("user", 5), perMinute("address", 3));
    RuleResult result = edge.ask(
        descriptor("none", ""),
        descriptor("address", "x"),
        descriptor("user", "a"),
        descriptor("none", ""));
    assertThat(result.descriptors())
        .extracting(each -> each.decision() == null ? -1 : each.decision().limit())
        .containsExactly(-1L, 3L, 5L, -1L);
  }

  @Test
  void countsBelongToDomainPathAndIdentifier() {
    edge.rules(RuleNode.of("generic_key", "login").withDescriptors(perMinute("address", 5)));
    RuleResult result = edge.ask(descriptor("generic_key", "login", "address", "1.2.3.4"));
    assertThat(result.descriptors().get(0).match().identifier()).isEqualTo("1.2.3.4");
    assertThat(result.descriptors().get(0).windowMillis()).isEqualTo(60_000);
    assertThat(edge.limiter
            .tryAcquire(
                LimitRequest.of("edge", "generic_key=login,address", "1.2.3.4", Limit.perMinute(5))
                    .withCost(0))
            .remaining())
        .isEqualTo(4);
  }

  @Test
  void anUnlimitedRuleAllowsAndCountsNothing() {
    edge.rules(RuleNode.of("user").withLimit(RuleLimit.none()));
    DescriptorResult result = edge.ask(hits(1_000, "user", "a")).descriptors().get(0);
    assertThat(result.allowed()).isTrue();
    assertThat(result.match()).isNotNull();
    assertThat(result.decision()).isNull();
    assertThat(edge.limiter.stats().series()).isZero();
  }

  @Test
  void aLimitOfZeroDeniesEvenAPeek() {
    edge.rules(perMinute("user", 0));
    assertThat(edge.ask(descriptor("user", "a")).allowed()).isFalse();
    assertThat(edge.ask(hits(0, "user", "a")).allowed()).isFalse();
    assertThat(edge.ask(hits(1, "user", "a")).allowed()).isFalse();
  }

  @Test
  void aLimitInTheDescriptorAppliesInsteadOfTheRule() {
    edge.rules(perMinute("user", 0));
    DescriptorRequest own =
        new DescriptorRequest(entries("user", "a"), null, false, Limit.perHour(2));
    DescriptorResult result = edge.ask(own).descriptors().get(0);
    assertThat(result.decision().limit()).isEqualTo(2);
    assertThat(result.windowMillis()).isEqualTo(3_600_000);
    assertThat(result.match().rule().path()).isEqualTo("descriptor");
    assertThat(result.match().identifier()).isEqualTo("user=a");
    assertThat(edge.askTimes(2, own)).containsExactly(true, false);
    assertThat(edge.askOf("elsewhere", 0, own).descriptors().get(0).match()).isNull();
  }

  @Test
  void aReplacedRuleIsNotEvaluated() {
    edge.rules(
        RuleNode.of("user").withLimit(RuleLimit.of(0, "minute").named("usual")),
        RuleNode.of("vip").withLimit(RuleLimit.of(5, "minute").named("vip", "usual")));
    assertThat(edge.ask(descriptor("user", "a")).allowed()).isFalse();
    RuleResult result = edge.ask(descriptor("user", "a"), descriptor("vip", "a"));
    assertThat(result.allowed()).isTrue();
    assertThat(result.descriptors().get(0).match()).isNull();
    assertThat(decision(result, 1).remaining()).isEqualTo(4);
  }

  @Test
  void overridesApplyIfTheDomainIsAWorkspace() throws Exception {
    Namespace namespace = node.newNamespace("user");
    node.catalog.setOverride(namespace.id(), "v*", 2, 3_600_000, "test");
    node.sync();
    edge.rulesOf(node.workspace, perMinute("user", 10));

    DescriptorResult vip =
        edge.askOf(node.workspace, 0, descriptor("user", "vip")).descriptors().get(0);
    assertThat(vip.decision().limit()).isEqualTo(2);
    assertThat(vip.windowMillis()).isEqualTo(3_600_000);
    DescriptorResult usual =
        edge.askOf(node.workspace, 0, descriptor("user", "a")).descriptors().get(0);
    assertThat(usual.decision().limit()).isEqualTo(10);
    assertThat(usual.windowMillis()).isEqualTo(60_000);

    node.catalog.deleteNamespace(namespace.id(), "test");
    node.sync();
    assertThat(decision(edge.askOf(node.workspace, 0, descriptor("user", "vip")), 0)
            .limit())
        .isEqualTo(10);
  }

  // All or nothing

  @Test
  void aRequestWithoutHitsTakesOneTokenOfEachLimit() {
    edge.rules(perMinute("user", 3), perMinute("address", 5));
    RuleResult result = edge.ask(descriptor("user", "a"), descriptor("address", "x"));
    assertThat(decision(result, 0).remaining()).isEqualTo(2);
    assertThat(decision(result, 1).remaining()).isEqualTo(4);
    assertThat(edge.askTimes(3, descriptor("user", "a"))).containsExactly(true, true, false);
  }

  @Test
  void aDeniedRequestTakesNothing() {
    edge.rules(perMinute("user", 1), perMinute("address", 5));
    edge.ask(descriptor("user", "a"));
    RuleResult result = edge.ask(descriptor("address", "x"), descriptor("user", "a"));
    assertThat(result.allowed()).isFalse();
    assertThat(allowed(result)).containsExactly(true, false);
    assertThat(decision(result, 0).remaining()).isEqualTo(5);
    assertThat(decision(result, 1).remaining()).isZero();
    assertThat(edge.count("address", "x")).isZero();
    assertThat(edge.count("user", "a")).isEqualTo(1);
  }

  @Test
  void aLimitThatOccursTwiceCountsTwice() {
    edge.rules(perMinute("user", 3));
    assertThat(edge.ask(descriptor("user", "a"), descriptor("user", "a")).allowed())
        .isTrue();
    assertThat(edge.ask(descriptor("user", "a"), descriptor("user", "a")).allowed())
        .isFalse();
    assertThat(edge.count("user", "a")).isEqualTo(2);
  }

  @Test
  void aPeekTakesNothing() {
    edge.rules(perMinute("user", 2));
    edge.askTimes(2, descriptor("user", "a"));
    RuleResult peek = edge.ask(hits(0, "user", "a"));
    assertThat(peek.allowed()).isTrue(); // over is strictly more than the limit
    assertThat(decision(peek, 0).remaining()).isZero();
    assertThat(peek.descriptors().get(0).hits()).isZero();
  }

  @Test
  void aPeekThatIsOverDeniesTheRequest() {
    edge.rules(perMinute("user", 2), perMinute("address", 5));
    edge.ask(hits(5, "user", "a"));
    assertThat(edge.ask(hits(0, "user", "a"), descriptor("address", "x")).allowed())
        .isFalse();
    assertThat(edge.count("address", "x")).isZero();
  }

  @Test
  void ownHitsOfADescriptorReplaceThoseOfTheRequest() {
    edge.rules(perMinute("user", 100));
    assertThat(decision(edge.ask(7, descriptor("user", "a")), 0).remaining()).isEqualTo(93);
    assertThat(decision(edge.ask(7, hits(2, "user", "a")), 0).remaining()).isEqualTo(91);
    assertThat(decision(edge.ask(7, hits(0, "user", "a")), 0).remaining()).isEqualTo(91);
    assertThat(decision(edge.ask(0, descriptor("user", "a")), 0).remaining()).isEqualTo(90);
  }

  // Record

  @Test
  void explicitHitsAreChargedInFullBeyondTheLimit() {
    edge.rules(perMinute("tokens", 100));
    assertThat(edge.ask(hits(90, "tokens", "a")).allowed()).isTrue();
    RuleResult over = edge.ask(hits(5_000, "tokens", "a"));
    assertThat(over.allowed()).isFalse();
    assertThat(decision(over, 0).remaining()).isZero();
    assertThat(decision(over, 0).retryAfterMillis()).isPositive();
    assertThat(edge.count("tokens", "a")).isEqualTo(5_090);
    assertThat(edge.ask(hits(0, "tokens", "a")).allowed()).isFalse();
    assertThat(edge.ask(descriptor("tokens", "a")).allowed()).isFalse();
  }

  @Test
  void hitsOfTheRequestAreExplicitToo() {
    edge.rules(perMinute("tokens", 100));
    assertThat(edge.ask(150, descriptor("tokens", "a")).allowed()).isFalse();
    assertThat(edge.count("tokens", "a")).isEqualTo(150);
  }

  @Test
  void exactlyTheLimitIsNotOver() {
    edge.rules(perMinute("tokens", 100));
    assertThat(edge.ask(hits(100, "tokens", "a")).allowed()).isTrue();
    assertThat(edge.ask(hits(1, "tokens", "a")).allowed()).isFalse();
  }

  @Test
  void aRuleWithoutRecordIsAllOrNothingForExplicitHitsToo() {
    edge.rules(withoutRecord("tokens", 100));
    assertThat(edge.ask(hits(90, "tokens", "a")).allowed()).isTrue();
    assertThat(edge.ask(hits(11, "tokens", "a")).allowed()).isFalse();
    assertThat(edge.ask(hits(10, "tokens", "a")).allowed()).isTrue();
    assertThat(edge.count("tokens", "a")).isEqualTo(100);
  }

  @Test
  void explicitHitsAreChargedEvenIfAnotherLimitDenies() {
    edge.rules(perMinute("user", 0), perMinute("tokens", 100));
    assertThat(edge.ask(descriptor("user", "a"), hits(30, "tokens", "a")).allowed())
        .isFalse();
    assertThat(edge.count("tokens", "a")).isEqualTo(30);
  }

  @Test
  void explicitHitsBeyondTheLimitDenyAndOtherLimitsAreNotCharged() {
    edge.rules(perMinute("user", 5), shadow("shadow", 5), perMinute("tokens", 100));
    RuleResult result =
        edge.ask(descriptor("user", "a"), descriptor("shadow", "a"), hits(101, "tokens", "a"));
    assertThat(result.allowed()).isFalse();
    assertThat(allowed(result)).containsExactly(true, true, false);
    assertThat(edge.count("user", "a")).isZero();
    assertThat(edge.count("shadow", "a")).isZero();
  }

  @Test
  void moreHitsThanTheLimiterCanCountAreCut() {
    edge.rules(perMinute("tokens", 100));
    assertThat(edge.ask(hits(Long.MAX_VALUE, "tokens", "a")).allowed()).isFalse();
    assertThat(edge.count("tokens", "a")).isLessThanOrEqualTo(Bounds.MAX_TOKENS);
    assertThat(edge.ask(hits(0, "tokens", "a")).allowed()).isFalse();
  }

  @Test
  void negativeHitsAreAllowedAndChangeNothing() {
    edge.rules(perMinute("tokens", 100));
    edge.ask(hits(150, "tokens", "a"));
    edge.observed.take();
    RuleResult result = edge.ask(new DescriptorRequest(entries("tokens", "a"), 60L, true, null));
    assertThat(result.allowed()).isTrue();
    assertThat(allowed(result)).containsExactly(true);
    assertThat(edge.count("tokens", "a")).isEqualTo(150);
    assertThat(edge.observed.take()).containsExactly("60 negative hits");
  }

  // Shadow mode

  @Test
  void aShadowRuleNeverDenies() {
    edge.rules(shadow("user", 2));
    assertThat(edge.askTimes(4, descriptor("user", "a"))).containsOnly(true);
    RuleResult over = edge.ask(descriptor("user", "a"));
    assertThat(allowed(over)).containsExactly(true);
    assertThat(decision(over, 0).allowed()).isFalse();
    assertThat(decision(over, 0).remaining()).isZero();
    assertThat(edge.ask(hits(5, "user", "a")).allowed()).isTrue();
    assertThat(edge.count("user", "a")).isEqualTo(7);
  }

  @Test
  void aShadowRuleDoesNotPreventThatOthersAreCharged() {
    edge.rules(shadow("user", 0), perMinute("address", 5));
    assertThat(edge.ask(descriptor("user", "a"), descriptor("address", "x")).allowed())
        .isTrue();
    assertThat(edge.count("address", "x")).isEqualTo(1);
  }

  @Test
  void aShadowRuleIsNotChargedIfTheRequestIsDenied() {
    edge.rules(shadow("user", 5), perMinute("address", 0));
    RuleResult result = edge.ask(descriptor("user", "a"), descriptor("address", "x"));
    assertThat(allowed(result)).containsExactly(true, false);
    assertThat(decision(result, 0).remaining()).isEqualTo(5);
    assertThat(edge.count("user", "a")).isZero();
  }

  @Test
  void inShadowModeTheRequestIsAllowedAndItsDescriptorsAreNot() {
    edge.inShadowMode().rules(perMinute("user", 1), perMinute("address", 5));
    edge.ask(descriptor("user", "a"));
    RuleResult result = edge.ask(descriptor("user", "a"), descriptor("address", "x"));
    assertThat(result.allowed()).isTrue();
    assertThat(allowed(result)).containsExactly(false, true);
  }

  // Quota mode

  /** The limit of each quota rule and of the ordinary one; - for none. */
  @ParameterizedTest
  @CsvSource({
    "5, -, -, true",
    "0, -, -, false",
    "5, 5, -, true",
    "0, 5, -, true",
    "5, 0, -, true",
    "0, 0, -, false",
    "5, -, 5, true",
    "0, -, 5, false",
    "5, -, 0, false",
    "0, 5, 5, true",
    "0, 5, 0, false",
    "0, 0, 5, false",
    "0, 0, 0, false",
  })
  void quotaRulesDenyOnlyTogether(String first, String second, String other, boolean allowed) {
    edge.rules(
        quota("first", limit(first)),
        quota("second", limit(second)),
        perMinute("other", limit(other)));
    List<DescriptorRequest> descriptors = new ArrayList<>();
    descriptors.add(descriptor("first", "a"));
    if (!second.equals("-")) {
      descriptors.add(descriptor("second", "a"));
    }
    if (!other.equals("-")) {
      descriptors.add(descriptor("other", "a"));
    }
    RuleResult result = edge.ask(descriptors.toArray(DescriptorRequest[]::new));
    assertThat(result.allowed()).isEqualTo(allowed);
    assertThat(result.descriptors())
        .allSatisfy(each -> assertThat(each.allowed()).isEqualTo(each.decision().limit() > 0));
    for (DescriptorResult each : result.descriptors()) {
      long charged = allowed && each.allowed() ? 1 : 0;
      assertThat(edge.count(each.match().rule().path(), "a")).isEqualTo(charged);
    }
  }

  private static long limit(String text) {
    return text.equals("-") ? 0 : Long.parseLong(text);
  }

  @Test
  void quotasAreUsedUpOneAfterTheOther() {
    edge.rules(quota("small", 1), quota("large", 3));
    DescriptorRequest[] both = {descriptor("small", "a"), descriptor("large", "a")};
    assertThat(edge.ask(both).allowed()).isTrue();
    assertThat(allowed(edge.ask(both))).containsExactly(false, true);
    assertThat(edge.ask(both).allowed()).isTrue();
    assertThat(edge.ask(both).allowed()).isFalse();
  }

  @Test
  void otherLimitsAreNotChargedIfTheQuotasAreUsedUp() {
    edge.rules(quota("first", 1), quota("second", 1), perMinute("user", 5));
    DescriptorRequest[] all = {
      descriptor("first", "a"), descriptor("second", "a"), descriptor("user", "a")
    };
    assertThat(edge.ask(all).allowed()).isTrue();
    RuleResult result = edge.ask(all);
    assertThat(result.allowed()).isFalse();
    assertThat(allowed(result)).containsExactly(false, false, true);
    assertThat(edge.count("user", "a")).isEqualTo(1);
  }

  @Test
  void recordedQuotasDenyOnlyTogetherAndOtherLimitsAreThenNotCharged() {
    edge.rules(quota("first", 10), quota("second", 20), perMinute("user", 5));
    DescriptorRequest[] all = {
      hits(15, "first", "a"), hits(15, "second", "a"), descriptor("user", "a")
    };
    assertThat(edge.ask(all).allowed()).isTrue();
    assertThat(edge.count("user", "a")).isEqualTo(1);
    assertThat(edge.ask(all).allowed()).isFalse();
    assertThat(edge.count("user", "a")).isEqualTo(1);
  }

  @Test
  void aQuotaInShadowModeAlwaysHasRoom() {
    edge.rules(shadow("first", 0).with(Option.QUOTA_MODE), quota("second", 0));
    assertThat(edge.ask(descriptor("first", "a"), descriptor("second", "a")).allowed())
        .isTrue();
  }

  // Reports

  @Test
  void hitsAreReportedWithinNearAndOver() {
    edge.rules(withoutRecord("user", 10));
    for (int i = 0; i < 8; i++) {
      edge.ask(descriptor("user", "a"));
    }
    assertThat(edge.observed.take())
        .containsOnly("edge.user: 1 hits, 1 within, 0 near, 0 over")
        .hasSize(8);
    edge.askTimes(3, descriptor("user", "a"));
    assertThat(edge.observed.take())
        .containsExactly(
            "edge.user: 1 hits, 1 within, 1 near, 0 over",
            "edge.user: 1 hits, 1 within, 1 near, 0 over",
            "edge.user: 1 hits, 0 within, 0 near, 1 over");
  }

  @ParameterizedTest
  @CsvSource({
    "5, 8, 8, 0, 0",
    "14, 4, 4, 2, 0",
    "14, 6, 6, 4, 0",
    "14, 10, 6, 4, 4",
    "18, 5, 2, 2, 3",
    "20, 3, 0, 0, 3",
    "30, 3, 0, 0, 3",
    "0, 40, 20, 4, 20",
  })
  void recordedHitsAreSplit(long before, long hits, long within, long near, long over) {
    edge.rules(perMinute("tokens", 20));
    edge.ask(hits(before, "tokens", "a"));
    edge.observed.take();
    edge.ask(hits(hits, "tokens", "a"));
    assertThat(edge.observed.take())
        .containsExactly("edge.tokens: %d hits, %d within, %d near, %d over"
            .formatted(hits, within, near, over));
  }

  @Test
  void allHitsOfADeniedRequestAreOver() {
    edge.rules(withoutRecord("user", 10));
    edge.ask(hits(8, "user", "a"));
    edge.observed.take();
    edge.ask(hits(5, "user", "a"));
    assertThat(edge.observed.take()).containsExactly("edge.user: 5 hits, 0 within, 0 near, 5 over");
  }

  @Test
  void hitsThatAnotherLimitDeniedAreNeitherWithinNorOver() {
    edge.rules(perMinute("user", 0), perMinute("address", 5));
    edge.ask(descriptor("address", "x"), descriptor("user", "a"));
    assertThat(edge.observed.take())
        .containsExactly(
            "edge.address: 1 hits, 0 within, 0 near, 0 over",
            "edge.user: 1 hits, 0 within, 0 near, 1 over");
  }

  @Test
  void shadowedHitsAreReported() {
    edge.rules(shadow("user", 0));
    edge.ask(descriptor("user", "a"));
    assertThat(edge.observed.take())
        .containsExactly("edge.user: 1 hits, 0 within, 0 near, 1 over", "edge.user: 1 shadowed");
    edge.inShadowMode().rules(perMinute("user", 0));
    edge.ask(descriptor("user", "a"));
    assertThat(edge.observed.take())
        .containsExactly("edge.user: 1 hits, 0 within, 0 near, 1 over", "edge.user: 1 shadowed");
  }

  @Test
  void peeksAreNotReported() {
    edge.rules(perMinute("user", 5));
    edge.ask(hits(0, "user", "a"));
    assertThat(edge.observed.take()).isEmpty();
  }

  @Test
  void denialsAreLoggedAndWhatIsLetThroughIsNot() {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    Logging.configure(LogFormat.TEXT, LogLevel.INFO, new PrintStream(written, true, UTF_8));
    try {
      edge.loggingDenials().rules(shadow("shadow", 0), quota("quota", 0), perMinute("user", 0));
      edge.ask(descriptor("shadow", "a"));
      edge.ask(descriptor("quota", "a"), descriptor("shadow", "a"));
      edge.ask(descriptor("user", "a"), descriptor("shadow", "a"));
      edge.inShadowMode().ask(descriptor("user", "b"));
    } finally {
      Logging.configure(LogFormat.TEXT, LogLevel.ERROR, System.err);
    }
    assertThat(written.toString(UTF_8).lines())
        .hasSize(2)
        .allMatch(line -> line.contains("denied requestId=req_test workspace=edge"))
        .satisfiesExactly(
            line -> assertThat(line).contains("namespace=quota identifier=a"),
            line -> assertThat(line).contains("namespace=user identifier=a"));
  }

  @Test
  void rulesAreLoadedOrNot() {
    assertThat(edge.service().hasRules()).isFalse();
    assertThat(edge.rules(perMinute("user", 5)).service().hasRules()).isTrue();
    assertThat(edge.rules().service().hasRules()).isTrue();
  }

  @Test
  void theTimeOfTheDecisionIsPartOfTheResult() {
    edge.rules(perMinute("user", 1));
    RuleResult result = edge.ask(descriptor("user", "a"));
    assertThat(result.nowMillis()).isEqualTo(edge.time.millis());
    Decision decision = decision(result, 0);
    assertThat(decision.resetAtMillis() - result.nowMillis()).isEqualTo(50_000);
  }
}
