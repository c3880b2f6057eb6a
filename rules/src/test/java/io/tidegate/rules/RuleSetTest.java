package io.tidegate.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.rules.RuleNode.Option;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RuleSetTest {

  private static RuleSet rules(RuleNode... nodes) throws RuleException {
    return RuleSet.of(List.of(RuleFile.of("edge.yaml", "edge", List.of(nodes))));
  }

  private static RuleNode perMinute(String key, long limit) {
    return RuleNode.of(key).withLimit(RuleLimit.of(limit, "minute"));
  }

  private static Match find(RuleSet rules, String... keysAndValues) {
    return rules.find("edge", entries(keysAndValues));
  }

  private static List<Entry> entries(String... keysAndValues) {
    return IntStream.range(0, keysAndValues.length / 2)
        .mapToObj(i -> new Entry(keysAndValues[2 * i], keysAndValues[2 * i + 1]))
        .toList();
  }

  @Test
  void emptySetLimitsNothing() {
    assertThat(RuleSet.EMPTY.find("edge", entries("a", "b"))).isNull();
    assertThat(RuleSet.EMPTY.rules()).isEmpty();
    assertThat(RuleSet.EMPTY.domains()).isEmpty();
    assertThat(RuleSet.EMPTY.named("edge", "login")).isEmpty();
    assertThat(RuleSet.EMPTY.explain("edge", entries("a", "b")).conclusion())
        .isEqualTo("no limit: domain edge is in no file");
  }

  @Test
  void ruleHasWhatTheFileSays() throws RuleException {
    RuleNode node = new RuleNode(
        12,
        "a",
        "b",
        new RuleLimit(13, 7L, "HOUR", "", false, "login", List.of("other")),
        List.of(),
        Set.of(Option.SHADOW_MODE, Option.QUOTA_MODE),
        Map.of("service", "one"));
    assertThat(rules(node).rules())
        .containsExactly(new Rule(
            "edge",
            "a=b",
            "login",
            7,
            3_600_000,
            false,
            true,
            true,
            false,
            Set.of("other"),
            Map.of("service", "one"),
            "edge.yaml:12"));
    assertThat(rules(perMinute("a", 1)).rules().get(0).record()).isTrue();
  }

  @Test
  void unlimitedRuleHasNoWindow() throws RuleException {
    Rule rule = rules(RuleNode.of("a").withLimit(RuleLimit.none())).rules().get(0);
    assertThat(rule.unlimited()).isTrue();
    assertThat(rule.limit()).isZero();
    assertThat(rule.windowMillis()).isZero();
  }

  @Test
  void pathNamesTheValuesOfTheFileAndEscapesThem() throws RuleException {
    RuleSet rules = rules(RuleNode.of("generic_key", "a,b=c\\d")
        .withDescriptors(
            RuleNode.of("path", "/api/*").withDescriptors(perMinute("remote=address", 1))));
    assertThat(rules.rules().get(0).path())
        .isEqualTo("generic_key=a\\,b\\=c\\\\d,path=/api/*,remote\\=address");
  }

  @Test
  void identifierConsistsOfTheValuesThatTheFileDoesNotName() throws RuleException {
    RuleSet rules = rules(
        RuleNode.of("generic_key", "login").withLimit(RuleLimit.of(1, "minute")),
        RuleNode.of("generic_key", "api").withDescriptors(perMinute("remote_address", 1)),
        RuleNode.of("path", "/api/*").withDescriptors(perMinute("user", 1)),
        RuleNode.of("shared", "a*")
            .with(Option.SHARE_THRESHOLD)
            .withLimit(RuleLimit.of(1, "minute")));
    assertThat(find(rules, "generic_key", "login").identifier()).isEqualTo("all");
    assertThat(find(rules, "generic_key", "api", "remote_address", "1.2.3.4").identifier())
        .isEqualTo("1.2.3.4");
    assertThat(find(rules, "path", "/api/x|y", "user", "a\\b").identifier())
        .isEqualTo("/api/x\\|y|a\\\\b");
    assertThat(find(rules, "shared", "abc").identifier()).isEqualTo("all");
  }

  @Test
  void emptyValuesHaveIdentifiersOfTheirOwn() throws RuleException {
    RuleSet rules =
        rules(perMinute("one", 1), RuleNode.of("two").withDescriptors(perMinute("three", 1)));
    assertThat(find(rules, "one", "").identifier()).isEqualTo("\\");
    assertThat(find(rules, "one", "\\").identifier()).isEqualTo("\\\\");
    assertThat(find(rules, "two", "", "three", "").identifier()).isEqualTo("|");
    assertThat(find(rules, "two", "|", "three", "").identifier()).isEqualTo("\\||");
  }

  @Test
  void longIdentifiersAreShortenedAndStayDifferent() throws RuleException {
    RuleSet rules = rules(perMinute("a", 1), RuleNode.of("b").withDescriptors(perMinute("c", 1)));
    String fits = "🚀".repeat(512);
    assertThat(find(rules, "a", fits).identifier()).isEqualTo(fits);
    String one = find(rules, "a", fits + "x").identifier();
    String other = find(rules, "a", fits + "y").identifier();
    assertThat(one).startsWith("🚀".repeat(400) + "~").isNotEqualTo(other);
    assertThat(one.substring(one.indexOf('~') + 1)).matches("[0-9a-f]{64}");
    assertThat(one.codePointCount(0, one.length())).isEqualTo(465);
    assertThat(find(rules, "b", "x".repeat(300), "c", "y".repeat(300)).identifier())
        .startsWith("x".repeat(300) + "|" + "y".repeat(99) + "~")
        .hasSize(465);
  }

  @Test
  void everyMatchIsAValidRequest() throws RuleException {
    RuleSet rules = rules(perMinute("a".repeat(512), 1));
    Match match = rules.find("edge", List.of(new Entry("a".repeat(512), "v".repeat(100_000))));
    Rule rule = match.rule();
    assertThat(new LimitRequest(
            new Scope(rule.domain(), rule.path(), rule.windowMillis()),
            match.identifier(),
            rule.limit(),
            1))
        .isNotNull();
  }

  @Test
  void ruleIsFoundByItsName() throws RuleException {
    RuleSet rules = rules(
        RuleNode.of("a").withLimit(RuleLimit.of(5, "minute").named("login")),
        RuleNode.of("b").withLimit(RuleLimit.of(5, "minute").named("login")),
        RuleNode.of("c").withLimit(RuleLimit.of(6, "minute")));
    assertThat(rules.named("edge", "login").orElseThrow().path()).isEqualTo("a");
    assertThat(rules.named("edge", "logout")).isEmpty();
    assertThat(rules.named("edge", "")).isEmpty();
    assertThat(rules.named("other", "login")).isEmpty();
  }

  @Test
  void nameOfDifferentLimitsIsAmbiguous() throws RuleException {
    for (RuleLimit other :
        List.of(RuleLimit.of(6, "minute"), RuleLimit.of(5, "hour"), RuleLimit.none())) {
      RuleSet rules = rules(
          RuleNode.of("a").withLimit(RuleLimit.of(5, "minute").named("login")),
          RuleNode.of("b").withLimit(other.named("login")));
      assertThatThrownBy(() -> rules.named("edge", "login"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "rule name is ambiguous: login has different limits at edge.yaml and edge.yaml");
    }
  }

  @Test
  void replacedRulesDoNotApply() throws RuleException {
    RuleSet rules = rules(
        RuleNode.of("a").withLimit(RuleLimit.of(1, "minute").named("slow")),
        RuleNode.of("b").withLimit(RuleLimit.of(1, "minute").named("fast", "slow", "unknown")),
        RuleNode.of("c").withLimit(RuleLimit.of(1, "minute")));
    Match slow = find(rules, "a", "");
    Match fast = find(rules, "b", "");
    Match unnamed = find(rules, "c", "");
    List<Match> all = Arrays.asList(slow, fast, null, unnamed, slow);
    assertThat(RuleSet.withoutReplaced(all)).containsExactly(null, fast, null, unnamed, null);
    assertThat(all).containsExactly(slow, fast, null, unnamed, slow);
    List<Match> none = Arrays.asList(slow, null, unnamed);
    assertThat(RuleSet.withoutReplaced(none)).isSameAs(none);
  }

  @Test
  void rulesThatReplaceEachOtherBothDoNotApply() throws RuleException {
    RuleSet rules = rules(
        RuleNode.of("a").withLimit(RuleLimit.of(1, "minute").named("one", "two")),
        RuleNode.of("b").withLimit(RuleLimit.of(1, "minute").named("two", "one")));
    assertThat(RuleSet.withoutReplaced(List.of(find(rules, "a", ""), find(rules, "b", ""))))
        .containsExactly(null, null);
  }

  @Test
  void explanationNamesEachStep() throws RuleException {
    RuleSet rules = rules(new RuleNode(
        2,
        "path",
        "/api/*",
        null,
        List.of(
            new RuleNode(4, "user", "", RuleLimit.of(1, "minute"), List.of(), Set.of(), Map.of())),
        Set.of(Option.SHARE_THRESHOLD),
        Map.of()));
    Explanation found = rules.explain("edge", entries("path", "/api/x", "user", "anna"));
    assertThat(found.match()).isEqualTo(find(rules, "path", "/api/x", "user", "anna"));
    assertThat(found.conclusion()).isEqualTo("the limit at edge.yaml:4 applies");
    assertThat(found.steps())
        .containsExactly(
            new Explanation.Step(
                new Entry("path", "/api/x"),
                "no descriptor for this value; the first wildcard in file order that matches is /api/*,"
                    + " and all values that match share one count",
                "edge.yaml:2"),
            new Explanation.Step(
                new Entry("user", "anna"),
                "no descriptor for this value; the one for all values of user",
                "edge.yaml:4"));
    assertThat(rules.explain("edge", entries("path", "/api/*")).steps().get(0).reason())
        .isEqualTo("the descriptor for this value");
  }

  @Test
  void explanationSaysWhyNoLimitApplies() throws RuleException {
    RuleSet rules = rules(
        RuleNode.of("a", "1").withDescriptors(perMinute("b", 1)),
        RuleNode.of("c"),
        perMinute("d", 1));
    assertThat(conclusion(rules)).isEqualTo("no limit: the descriptor has no entries");
    assertThat(conclusion(rules, "x", "1")).isEqualTo("no limit: entry x=1 matches no descriptor");
    assertThat(conclusion(rules, "a", "2")).isEqualTo("no limit: entry a=2 matches no descriptor");
    assertThat(conclusion(rules, "a", "1"))
        .isEqualTo(
            "no limit: edge.yaml has no rate_limit, and this descriptor has no more entries");
    assertThat(conclusion(rules, "c", "1"))
        .isEqualTo("no limit: edge.yaml has no rate_limit, so it allows everything");
    assertThat(conclusion(rules, "c", "1", "b", "1"))
        .isEqualTo("no limit: edge.yaml has no descriptors for the next entry");
    assertThat(conclusion(rules, "d", "1", "b", "1"))
        .isEqualTo("no limit: the limit at edge.yaml is for descriptors that end there,"
            + " and this one has more entries");
  }

  private static String conclusion(RuleSet rules, String... keysAndValues) {
    return rules.explain("edge", entries(keysAndValues)).conclusion();
  }
}
