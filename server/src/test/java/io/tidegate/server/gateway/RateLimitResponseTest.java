package io.tidegate.server.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import io.tidegate.model.Limit;
import io.tidegate.rules.Entry;
import io.tidegate.rules.Match;
import io.tidegate.rules.Rule;
import io.tidegate.server.Protobuf;
import io.tidegate.server.service.DescriptorResult;
import io.tidegate.server.service.RuleResult;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitResponseTest {

  private static final long NOW = 1_767_225_600_000L;

  private static final Match MATCH =
      Match.ofLimitIn("edge", List.of(new Entry("user", "a")), Limit.perMinute(10));

  /** The message without its prefix. */
  private static byte[] message(ProtobufWriter writer) {
    byte[] bytes = writer.toBuffer().getBytes();
    assertThat(bytes[0]).isZero();
    assertThat(ByteBuffer.wrap(bytes).getInt(1)).isEqualTo(bytes.length - 5);
    return Arrays.copyOfRange(bytes, 5, bytes.length);
  }

  private static long seconds(boolean allowed, long resetInMillis, long retryAfterMillis) {
    Decision decision = new Decision(
        retryAfterMillis == 0,
        10,
        0,
        NOW + resetInMillis,
        retryAfterMillis,
        11,
        Source.LOCAL,
        false);
    ProtobufWriter writer = new ProtobufWriter();
    RateLimitResponse.write(
        writer,
        new RuleResult(
            allowed, List.of(new DescriptorResult(allowed, MATCH, decision, 1, 60_000)), NOW));
    Map<Integer, List<Object>> response = Protobuf.parse(message(writer));
    Map<Integer, List<Object>> status = Protobuf.parse((byte[]) response.get(2).get(0));
    return (Long) Protobuf.parse((byte[]) status.get(4).get(0)).get(1).get(0);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1000, 1", "1001, 2", "59999, 60", "0, 1", "-5000, 1"})
  void anAllowedDescriptorResetsAtTheEndOfTheWindow(long resetInMillis, long seconds) {
    assertThat(seconds(true, resetInMillis, 0)).isEqualTo(seconds);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1000, 1", "1001, 2", "7900, 8"})
  void aDeniedDescriptorResetsWhenARetryMakesSense(long retryAfterMillis, long seconds) {
    assertThat(seconds(false, 50_000, retryAfterMillis)).isEqualTo(seconds);
  }

  @Test
  void aDescriptorThatIsNeverAllowedResetsAtTheEndOfTheWindow() {
    assertThat(seconds(false, 41_500, Decision.NEVER)).isEqualTo(42);
  }

  @Test
  void aShadowRuleThatIsOverResetsAtTheEndOfTheWindow() {
    assertThat(seconds(true, 41_500, 7_000)).isEqualTo(42);
  }

  /** Lengths around those at which the length itself takes one more byte. */
  @ParameterizedTest
  @CsvSource({"0, 300", "16370, 16400", "2097140, 2097160"})
  void nestedMessagesOfAnyLengthAreComplete(int from, int to) {
    for (int length = from; length < to; length++) {
      ProtobufWriter writer = new ProtobufWriter();
      writer.varint(7, 5);
      int outer = writer.begin(1);
      int inner = writer.begin(2);
      writer.string(3, "x".repeat(length));
      writer.end(inner);
      writer.end(outer);
      writer.varint(9, 6);
      Map<Integer, List<Object>> fields = Protobuf.parse(message(writer));
      assertThat(fields.keySet()).as("length %d", length).containsExactly(1, 7, 9);
      Map<Integer, List<Object>> parsed = Protobuf.parse((byte[]) fields.get(1).get(0));
      Map<Integer, List<Object>> innermost =
          Protobuf.parse((byte[]) parsed.get(2).get(0));
      assertThat(new String((byte[]) innermost.get(3).get(0), US_ASCII))
          .isEqualTo("x".repeat(length));
    }
  }

  /** A nested message that fills the buffer of the writer to each of its last bytes. */
  @Test
  void theBufferGrowsForTheLengthOfANestedMessage() {
    for (int before = 0; before < 120; before++) {
      for (int length = 120; length < 135; length++) {
        ProtobufWriter writer = new ProtobufWriter();
        writer.string(1, "y".repeat(before));
        int nested = writer.begin(2);
        for (int i = 0; i < length; i++) {
          writer.varint(1, 0);
        }
        writer.end(nested);
        Map<Integer, List<Object>> fields = Protobuf.parse(message(writer));
        assertThat((byte[]) fields.get(2).get(0)).hasSize(2 * length);
      }
    }
  }

  @Test
  void metadataIsThatOfRulesThatAllow() {
    RateLimitRequest request = new RateLimitRequest("edge", List.of(), 0);
    DescriptorResult denied = new DescriptorResult(false, match("denied"), null, 1, 0);
    DescriptorResult allowed = new DescriptorResult(true, match("allowed"), null, 1, 0);
    DescriptorResult none = new DescriptorResult(true, null, null, 1, 0);
    RuleResult result = new RuleResult(false, List.of(none, denied, allowed), NOW);
    assertThat(DynamicMetadata.content(request, result))
        .isEqualTo(Map.of(
            "domain", "edge", "descriptors", List.of(), "metadata", Map.of("is", "allowed")));
  }

  private static Match match(String metadata) {
    Rule rule = new Rule(
        "edge",
        "user",
        "",
        1,
        60_000,
        false,
        false,
        false,
        true,
        Set.of(),
        Map.of("is", metadata),
        "edge.yaml:1");
    return new Match(rule, "a", "edge.user");
  }
}
