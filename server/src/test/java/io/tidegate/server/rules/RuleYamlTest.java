package io.tidegate.server.rules;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidegate.rules.Rule;
import io.tidegate.rules.RuleError;
import io.tidegate.rules.RuleException;
import io.tidegate.rules.RuleSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RuleYamlTest {

  private static List<Rule> rules(String text) throws RuleException {
    return RuleSet.of(List.of(RuleYaml.parse("shop.yaml", UTF_8.encode(text)))).rules();
  }

  private static List<String> errors(byte[] content) {
    RuleException rejected = catchThrowableOfType(
        RuleException.class,
        () -> RuleSet.of(List.of(RuleYaml.parse("shop.yaml", ByteBuffer.wrap(content)))));
    assertThat(rejected).as(() -> new String(content, UTF_8)).isNotNull();
    return rejected.errors().stream().map(RuleError::toString).toList();
  }

  private static List<String> errors(String text) {
    return errors(text.getBytes(UTF_8));
  }

  /** The errors of a descriptor whose first line is the third of the file. */
  private static List<String> errorsOf(String descriptor) {
    return errors("domain: shop\ndescriptors:\n- " + descriptor.indent(2).strip() + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "# nothing\n", "---\n", "descriptors: []", "domain: ''", "domain:", "{}"})
  void domainIsRequired(String text) {
    assertThat(errors(text))
        .singleElement()
        .asString()
        .matches("shop.yaml(:1)?: domain is missing or empty");
  }

  @Test
  void descriptorErrorsNameTheirLine() {
    assertThat(errorsOf("value: x"))
        .containsExactly("shop.yaml:3: descriptor has no key, or an empty one");
    assertThat(errorsOf("key: ''"))
        .containsExactly("shop.yaml:3: descriptor has no key, or an empty one");
    assertThat(errorsOf("key: a*"))
        .containsExactly("shop.yaml:3: key must not contain '*', which only values may: 'a*'");
    assertThat(errors("""
        domain: shop
        descriptors:
        - key: a
          value: b
        - key: a
          value: b
          descriptors:
          - key: c
          - key: c
        """))
        .containsExactly(
            "shop.yaml:5: duplicate descriptor 'a=b': shop.yaml:3 has the same key and value",
            "shop.yaml:9: duplicate descriptor 'a=b,c': shop.yaml:8 has the same key and value");
    assertThat(errorsOf("key: a\nvalue: b\nshare_threshold: true"))
        .containsExactly(
            "shop.yaml:3: share_threshold needs a value with a wildcard '*': 'a=b' has none");
    assertThat(errorsOf("key: a\nshare_threshold: true"))
        .containsExactly(
            "shop.yaml:3: share_threshold needs a value with a wildcard '*': 'a' has none");
  }

  @Test
  void limitErrorsNameTheirLine() {
    assertThat(errorsOf("key: a\nrate_limit:\n  unit: foo\n  requests_per_unit: 1"))
        .containsExactly(
            "shop.yaml:5: unit must be one of second, minute, hour, day, week, month, year: 'foo'");
    assertThat(errorsOf("key: a\nrate_limit: {requests_per_unit: 1}"))
        .containsExactly(
            "shop.yaml:4: rate_limit needs a unit (second, minute, hour, day, week, month, year) or a window such as 10m");
    assertThat(errorsOf("key: a\nrate_limit: {requests_per_unit: 1, unit: unknown}"))
        .containsExactly(
            "shop.yaml:4: unit must be one of second, minute, hour, day, week, month, year: 'unknown'");
    assertThat(errorsOf("key: a\nrate_limit: {requests_per_unit: 1, unit: day, window: 2d}"))
        .containsExactly("shop.yaml:4: rate_limit must have a unit or a window, not both");
    assertThat(errorsOf("key: a\nrate_limit: {requests_per_unit: 1, window: 10}"))
        .containsExactly(
            "shop.yaml:4: window must be between 1s and 366d, such as 30s, 10m, 12h or 7d: '10'");
    assertThat(errorsOf("key: a\nrate_limit: {unit: day}"))
        .containsExactly("shop.yaml:4: rate_limit needs requests_per_unit; 0 denies everything");
    assertThat(errorsOf("key: a\nrate_limit: {unlimited: true, unit: day}"))
        .containsExactly("shop.yaml:4: unlimited rate_limit must not have a unit or window");
    assertThat(errorsOf("key: a\nrate_limit: {unlimited: true, window: 1d}"))
        .containsExactly("shop.yaml:4: unlimited rate_limit must not have a unit or window");
    assertThat(errorsOf(
            "key: a\nrate_limit: {unit: day, requests_per_unit: 1, replaces: [{name: ''}]}"))
        .containsExactly("shop.yaml:4: replaces has an entry without a name");
    assertThat(errorsOf("key: a\nrate_limit: {unit: day, requests_per_unit: 1, replaces: [{}]}"))
        .containsExactly("shop.yaml:4: replaces has an entry without a name");
    assertThat(
            errorsOf(
                "key: a\nrate_limit: {unit: day, requests_per_unit: 1, name: n, replaces: [{name: n}]}"))
        .containsExactly("shop.yaml:4: replaces must not contain the limit's own name: 'n'");
  }

  @Test
  void unknownKeysAreRejectedWhereTheyHaveNoMeaning() {
    assertThat(errors("domian: shop"))
        .containsExactly(
            "shop.yaml:1: unknown key 'domian'; did you mean domain?",
            "shop.yaml:1: domain is missing or empty");
    assertThat(errorsOf("key: a\nratelimit: {unit: day}"))
        .containsExactly("shop.yaml:4: unknown key 'ratelimit'; did you mean rate_limit?");
    assertThat(errorsOf("key: a\nunit: day")).containsExactly("shop.yaml:4: unknown key 'unit'");
    assertThat(errorsOf("key: a\nrate_limit: {unlimited: true, algorithm: fixed}"))
        .containsExactly("shop.yaml:4: unknown key 'algorithm'");
    assertThat(errorsOf("key: a\nrate_limit: {unlimited: true, replaces: [{nmae: b}]}"))
        .containsExactly(
            "shop.yaml:4: unknown key 'nmae'; did you mean name?",
            "shop.yaml:4: replaces has an entry without a name");
    assertThat(errors("domain: shop\n1: x\n[a]: y\ntrue: z"))
        .containsExactly(
            "shop.yaml:2: key must be text: '1'",
            "shop.yaml:3: key must be text",
            "shop.yaml:4: key must be text: 'true'");
    assertThat(errors("domain: shop\ndomain: other"))
        .containsExactly("shop.yaml:2: duplicate key 'domain'");
  }

  @Test
  void valuesOfAWrongTypeAreRejected() {
    assertThat(errors("- a"))
        .containsExactly("shop.yaml:1: file must consist of the keys domain and descriptors");
    assertThat(errors("text"))
        .containsExactly("shop.yaml:1: file must consist of the keys domain and descriptors");
    assertThat(errors("domain: [a]"))
        .first()
        .isEqualTo("shop.yaml:1: domain must be a single value, not a list or a map");
    assertThat(errors("domain: shop\ndescriptors:\n- a\n- [b]\n- {key: c}"))
        .containsExactly(
            "shop.yaml:3: descriptors must be a list of maps: 'a'",
            "shop.yaml:4: descriptors must be a list of maps");
    assertThat(errors("domain: shop\ndescriptors: {key: a}"))
        .containsExactly("shop.yaml:2: descriptors must be a list of maps");
    assertThat(errorsOf("key: a\nrate_limit: 5"))
        .containsExactly("shop.yaml:4: rate_limit must be a map: '5'");
    assertThat(errorsOf("key: a\nmetadata: [b]"))
        .containsExactly("shop.yaml:4: metadata must be a map");
    assertThat(errorsOf("key: a\nshadow_mode: 1"))
        .containsExactly("shop.yaml:4: shadow_mode must be true or false: '1'");
    assertThat(errorsOf("key: a\nrecord: 'true'"))
        .containsExactly("shop.yaml:4: record must be true or false: 'true'");
    assertThat(errorsOf("key: {b: c}"))
        .first()
        .isEqualTo("shop.yaml:3: key must be a single value, not a list or a map");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-1", "1.5", "1e3", "010", "0x10", "five", "'5'", "1:30", "1000000000000000000"})
  void limitsAreWholeNumbersInDecimal(String number) {
    assertThat(errorsOf("key: a\nrate_limit: {unit: day, requests_per_unit: " + number + "}"))
        .containsExactly(
            "shop.yaml:4: requests_per_unit must be a whole number of at most 18 digits: '"
                + number.replace("'", "") + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "domain: shop\ndescriptors:\n  - key: [",
        "domain: shop\n\tdescriptors: x",
        "domain: 'shop",
        "domain: shop\n---\ndomain: other",
        "domain: *unknown",
        "domain: shop: x",
        "domain: shop\u0000"
      })
  void brokenYamlIsAnError(String text) {
    assertThat(errors(text))
        .singleElement()
        .asString()
        .matches("shop.yaml(:\\d+)?: is not YAML: .+");
  }

  @Test
  void textMustBeUtf8() {
    assertThat(errors("domain: shop\n# café\n".getBytes(ISO_8859_1)))
        .containsExactly("shop.yaml:2: file is not UTF-8 text");
    assertThat(errors(new byte[] {(byte) 0xff, (byte) 0xfe, 'd', 0}))
        .containsExactly("shop.yaml:1: file is not UTF-8 text");
  }

  @Test
  void byteOrderMarkIsIgnored() throws RuleException {
    assertThat(rules("\uFEFFdomain: shop")).isEmpty();
  }

  /** Billions of values in a few lines. */
  @Test
  void aliasesThatExpandWithoutBoundAreRejected() {
    String ends = ": file has more than 1000000 values or 100 levels, with aliases expanded";
    StringBuilder doubled = new StringBuilder("domain: shop\ndescriptors:\n- &a0 {key: a}\n");
    for (int i = 1; i <= 24; i++) {
      doubled.append(
          "- &a%d {key: k%d, descriptors: [*a%d, *a%d]}\n".formatted(i, i, i - 1, i - 1));
    }
    assertThat(errors(doubled.toString())).containsExactly("shop.yaml" + ends);
    assertThat(errors("domain: shop\ndescriptors: &d\n- {key: a, descriptors: *d}"))
        .containsExactly("shop.yaml" + ends);
    assertThat(errors("&m\ndomain: shop\n<<: *m")).containsExactly("shop.yaml" + ends);
    StringBuilder deep = new StringBuilder("domain: shop\ndescriptors:\n- &a0 {key: a}\n");
    for (int i = 1; i <= 30; i++) {
      deep.append("- &a%d {key: k%d, descriptors: [{key: b, descriptors: [*a%d]}]}\n"
          .formatted(i, i, i - 1));
    }
    assertThat(errors(deep.toString())).containsExactly("shop.yaml" + ends);
    assertThat(errors("domain: shop\ndescriptors: " + "[".repeat(99) + "]".repeat(99)))
        .isNotEmpty();
    assertThat(errors("domain: shop\ndescriptors: " + "[".repeat(100_000)))
        .singleElement()
        .asString()
        .contains("is not YAML");
    StringBuilder lists = new StringBuilder("domain: shop\nx0: &x0 [a, a]\n");
    for (int i = 1; i < 12; i++) {
      lists.append("x%d: &x%d [%s]\n".formatted(i, i, "*x%d, ".formatted(i - 1).repeat(9) + "b"));
    }
    assertThat(errors(lists.toString())).containsExactly("shop.yaml" + ends);
  }

  @Test
  void oneLimitCanHaveManyAliases() throws RuleException {
    StringBuilder text = new StringBuilder(
        "domain: shop\ndescriptors:\n- {key: a, rate_limit: &a {unit: day, requests_per_unit: 1}}\n");
    for (int i = 0; i < 5_000; i++) {
      text.append("- {key: k%d, rate_limit: *a}\n".formatted(i));
    }
    assertThat(rules(text.toString())).hasSize(5_001);
  }

  @Test
  void aliasesAndMergesAreExpanded() throws RuleException {
    List<Rule> rules = rules("""
        domain: shop
        descriptors:
        - key: a
          rate_limit: &slow {unit: day, requests_per_unit: 1}
        - &b
          key: b
          shadow_mode: yes
          rate_limit: {<<: *slow, requests_per_unit: 2}
        - {<<: [{key: c, value: d}, *b], record: off}
        """);
    assertThat(rules).extracting(Rule::path).containsExactly("a", "b", "c=d");
    assertThat(rules).extracting(Rule::limit).containsExactly(1L, 2L, 2L);
    assertThat(rules).extracting(Rule::shadow).containsExactly(false, true, true);
    assertThat(rules).extracting(Rule::record).containsExactly(true, true, false);
    assertThat(errors("domain: shop\n<<: 5"))
        .containsExactly("shop.yaml:2: << must refer to a map: '5'");
  }

  @Test
  void metadataIsFree() throws RuleException {
    Rule rule = rules("""
        domain: shop
        descriptors:
        - key: a
          rate_limit: {unlimited: true}
          metadata:
            text: one
            quoted: '5'
            number: -5
            fraction: 1.5
            octal: 010
            flag: on
            nothing: ~
            date: 2030-01-01
            list: [1, [two], ~, {three: 3}]
            7: seven
            nested: {unit: anything}
        """).get(0);
    assertThat(rule.metadata())
        .isEqualTo(Map.of(
            "text",
            "one",
            "quoted",
            "5",
            "number",
            -5L,
            "fraction",
            1.5,
            "octal",
            "010",
            "flag",
            true,
            "date",
            "2030-01-01",
            "list",
            List.of(1L, List.of("two"), Map.of("three", 3L)),
            "7",
            "seven",
            "nested",
            Map.of("unit", "anything")));
    assertThat(rule.metadata().keySet()).startsWith("text", "quoted", "number");
  }

  @Test
  void guideNamesEveryKey() throws IOException {
    String guide = Files.readString(Path.of("../docs/rules.md"));
    assertThat(List.of(RuleYaml.FILE_KEYS, RuleYaml.DESCRIPTOR_KEYS, RuleYaml.LIMIT_KEYS))
        .allSatisfy(keys ->
            assertThat(keys).allSatisfy(key -> assertThat(guide).contains("| `" + key + "` |")));
  }

  @Test
  void longAndControlTextIsShortenedAndEscapedInMessages() {
    assertThat(errors("domain: shop\n\"" + "x".repeat(1_000) + "\": 1"))
        .singleElement()
        .asString()
        .hasSizeLessThan(200);
    assertThat(errorsOf("key: a\nshadow_mode: \"\\e[2J\\n\""))
        .containsExactly("shop.yaml:4: shadow_mode must be true or false: '\\u001b[2J\\n'");
  }
}
