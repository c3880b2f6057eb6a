package io.tidegate.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.http.InputError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyReaderTest {

  private static final String VALID =
      "{\"namespace\":\"n\",\"identifier\":\"a\",\"limit\":5,\"duration\":60000}";

  private static BodyReader.Result object(String body) {
    return BodyReader.object(BodySchema.LIMIT, body.getBytes(StandardCharsets.UTF_8));
  }

  private static BodyReader.Result array(String body) {
    return BodyReader.array(BodySchema.LIMIT, body.getBytes(StandardCharsets.UTF_8), 3);
  }

  private static List<String> errors(BodyReader.Result body) {
    return body.errors().stream()
        .map(one -> one.location() + " " + one.message())
        .toList();
  }

  /** The errors of the valid body with another limit. */
  private static List<String> wrongLimit(String limit) {
    return errors(object(VALID.replace("5,", limit + ",")));
  }

  @Test
  void readsAnObject() {
    BodyReader.Result body = object(VALID);
    assertThat(body.errors()).isEmpty();
    BodyObject fields = body.objects().get(0);
    assertThat(fields.namespace()).isEqualTo("n");
    assertThat(fields.identifier()).isEqualTo("a");
    assertThat(fields.limit()).isEqualTo(5);
    assertThat(fields.durationMillis()).isEqualTo(60_000);
    assertThat(fields.cost()).isEqualTo(1);
  }

  @Test
  void reportsAllErrors() {
    assertThat(errors(object("{\"namespace\":1,\"limit\":0,\"duration\":\"1m\",\"async\":true}")))
        .containsExactly(
            "body.namespace must be a string",
            "body.limit must be between 1 and 1000000000000: 0",
            "body.duration must be an integer",
            "body must not have the property 'async'",
            "body.identifier is required");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "1000000000000", "1.0", "1e3", "0.5e1", "3424213.0", "1E12"})
  void acceptsIntegersInRange(String limit) {
    assertThat(wrongLimit(limit)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0, between",
    "-1, between",
    "1000000000001, between",
    "9223372036854775807, between",
    "9223372036854775808, between",
    "-9223372036854775809, between",
    "1.5, integer",
    "1e-3, integer",
    "1e-999999999, integer",
    "1e-99999999999, integer",
    "1e99999999999, integer",
    "1e3000, between",
    "1e999999999, between",
    "-1.0, between",
    "'\"5\"', integer",
    "null, integer",
    "true, integer",
    "[], integer",
    "{}, integer",
    "01, not valid JSON",
    "+1, not valid JSON",
    ".5, not valid JSON",
    "NaN, not valid JSON",
    "Infinity, not valid JSON",
    "x1, not valid JSON"
  })
  void rejectsOtherNumbers(String limit, String why) {
    assertThat(wrongLimit(limit)).singleElement().asString().contains(why);
  }

  @Test
  void rejectsTokensTooLongForTheParser() {
    for (String limit :
        List.of("1" + "0".repeat(1_500), "[".repeat(1_000), "1." + "0".repeat(2_000))) {
      assertThat(wrongLimit(limit)).isNotEmpty();
    }
    assertThat(errors(object("{\"" + "n".repeat(60_000) + "\":1}"))).isNotEmpty();
  }

  @Test
  void countsCharactersAsCodePoints() {
    String smile = "\ud83d\ude00";
    assertThat(errors(object(VALID.replace("\"a\"", "\"" + smile.repeat(512) + "\""))))
        .isEmpty();
    assertThat(errors(object(VALID.replace("\"a\"", "\"" + smile.repeat(513) + "\""))))
        .containsExactly("body.identifier must have 1 to 512 characters, it has 513");
    assertThat(errors(object(VALID.replace("\"a\"", "\"\""))))
        .containsExactly("body.identifier must have 1 to 512 characters, it has 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\ud83d", "\\ude00", "x\\ude00\\ud83d", "\\ud83dx"})
  void rejectsLoneSurrogates(String text) {
    assertThat(errors(object(VALID.replace("\"a\"", "\"" + text + "\""))))
        .containsExactly("body.identifier must be text, without half a surrogate pair");
  }

  @Test
  void rejectsDuplicateProperties() {
    assertThat(errors(object(VALID.replace("}", ",\"limit\":5}"))))
        .containsExactly("body.limit must not be given twice");
    assertThat(errors(object(VALID.replace("}", ",\"\\u006cimit\":5}"))))
        .containsExactly("body.limit must not be given twice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "{}", "]", ",", "\0", "//", "1"})
  void rejectsTrailingContent(String rest) {
    assertThat(errors(object(VALID + rest))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t"})
  void rejectsEmptyBodies(String body) {
    assertThat(errors(object(body))).containsExactly("body must not be empty");
    assertThat(errors(array(body))).containsExactly("body must not be empty");
  }

  @Test
  void readsAnArray() {
    assertThat(array("[" + VALID + "," + VALID + "]").objects()).hasSize(2);
    assertThat(errors(array("[" + VALID + ",{}]"))).allMatch(one -> one.startsWith("body[1]."));
    assertThat(errors(array(VALID))).containsExactly("body must be an array");
    assertThat(errors(object("[" + VALID + "]"))).containsExactly("body must be an object");
    assertThat(errors(array("[]"))).containsExactly("body must have 1 to 3 entries, it has 0");
    assertThat(errors(array("[" + (VALID + ",").repeat(4) + VALID + "]")))
        .containsExactly("body must have 1 to 3 entries, it has 5");
  }

  /** The unread part is not JSON, which the reader would report. */
  @Test
  void stopsReadingAfterTooManyErrors() {
    String unread = ",,,";
    StringBuilder unknown = new StringBuilder("{");
    for (int i = 0; i < 20; i++) {
      unknown.append("\"x").append(i).append("\":1,");
    }
    String names = "\"x\":1,".repeat(2_000);
    for (BodyReader.Result body : List.of(
        object(unknown + unread),
        object("{\"x\":{" + names + unread),
        object("{\"limit\":[" + "1,".repeat(2_000) + unread),
        array("[" + (VALID + ",").repeat(500) + unread),
        array("[[" + "{},".repeat(2_000) + unread),
        array("{" + names + unread),
        object("[{" + names + unread))) {
      assertThat(errors(body)).isNotEmpty().noneMatch(one -> one.contains("not valid JSON"));
      assertThat(body.errors()).hasSizeLessThanOrEqualTo(BodyReader.MAX_ERRORS);
    }
  }

  @Test
  void reportsABoundedNumberOfErrors() {
    StringBuilder unknown = new StringBuilder("\"x0\":1");
    for (int i = 1; i < 19; i++) {
      unknown.append(",\"x").append(i).append("\":1");
    }
    assertThat(object("{" + unknown + "}").errors())
        .as("19 and 4 missing fields")
        .hasSize(20);
    assertThat(array("[{" + unknown + "}," + VALID + "," + VALID + "," + VALID + "]")
            .errors())
        .hasSize(20);
  }

  @Test
  void readsIntegersInEveryNotation() {
    String body = VALID.replace("5,", "0.5e1,").replace("60000", "6.0e4");
    assertThat(object(body).objects().get(0).limit()).isEqualTo(5);
    assertThat(object(body).objects().get(0).durationMillis()).isEqualTo(60_000);
  }

  @Test
  void shortensInvalidValues() {
    InputError error = object("{\"" + "n".repeat(1_000) + "\":1}").errors().get(0);
    assertThat(error.message()).hasSizeLessThan(100).contains("nnn...");
    assertThat(wrongLimit("9".repeat(900)).get(0)).hasSizeLessThan(120);
  }

  @Test
  void textIsUtf8() {
    assertThat(BodyReader.isUtf8(VALID.getBytes(StandardCharsets.UTF_8))).isTrue();
    assertThat(BodyReader.isUtf8("\u00e4\ud83d\ude00".getBytes(StandardCharsets.UTF_8)))
        .isTrue();
    assertThat(BodyReader.isUtf8("\u00e4".getBytes(StandardCharsets.ISO_8859_1)))
        .isFalse();
    assertThat(BodyReader.isUtf8("a".getBytes(StandardCharsets.UTF_16))).isFalse();
    assertThat(BodyReader.isUtf8(new byte[] {(byte) 0xc0, (byte) 0xaf})).isFalse();
    assertThat(BodyReader.isUtf8(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}))
        .isFalse();
  }
}
