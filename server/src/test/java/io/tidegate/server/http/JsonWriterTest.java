package io.tidegate.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonWriterTest {

  private final JsonWriter json = new JsonWriter();

  @Test
  void separatesFieldsAndElements() {
    json.beginObject().field("a", 1).name("b").beginArray();
    json.beginObject().field("c", true).endObject();
    json.beginObject().field("d", "e").field("f", false).endObject();
    json.endArray().name("g").beginObject().endObject().field("h", -5).endObject();
    assertThat(text())
        .isEqualTo("{\"a\":1,\"b\":[{\"c\":true},{\"d\":\"e\",\"f\":false}],\"g\":{},\"h\":-5}");
  }

  @Test
  void everyNumberCanBeReadBack() {
    checkCanBeReadBack(0);
    checkCanBeReadBack(Long.MIN_VALUE);
    checkCanBeReadBack(Long.MAX_VALUE);
    Property.check(1_200, random -> {
      long number = random.ofAnyMagnitude(Long.MAX_VALUE);
      checkCanBeReadBack(random.nextBoolean() ? number : -number);
    });
  }

  private static void checkCanBeReadBack(long number) {
    JsonWriter writer = new JsonWriter();
    writer.beginObject().field("n", number).endObject();
    try (JsonParser parser = value(writer)) {
      assertThat(parser.getLongValue()).isEqualTo(number);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyTextCanBeReadBack() {
    Property.check(1_200, random -> {
      String text =
          String.join("", random.list(0, 255, () -> Character.toString(character(random))));
      JsonWriter writer = new JsonWriter();
      writer.beginObject().field("t", text).endObject();
      try (JsonParser parser = value(writer)) {
        assertThat(parser.getText()).isEqualTo(text);
      }
    });
  }

  /** A code point of any length in UTF-8, sometimes one that JSON escapes, never a surrogate. */
  private static int character(Generator random) {
    int codePoint = switch (random.nextInt(5)) {
      case 0 -> random.oneOf((int) '"', (int) '\\', (int) '/', 0x7f, 0x80, 0x7ff, 0xffff);
      case 1 -> random.nextInt(0x20);
      case 2 -> random.nextInt(0x80);
      case 3 -> random.nextInt(0x10000);
      default -> random.nextInt(Character.MAX_CODE_POINT + 1);
    };
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE
        ? 'x'
        : codePoint;
  }

  @Test
  void escapesQuotesBackslashesAndControlCharacters() {
    json.beginObject().field("t", "\"\\/\n\u0000\u007f\u00e9\u20ac\ud83d\ude00").endObject();
    assertThat(text())
        .isEqualTo("{\"t\":\"\\\"\\\\/\\u000a\\u0000\\u007f\u00e9\u20ac\ud83d\ude00\"}");
  }

  @Test
  void growsWithItsContent() {
    json.beginObject().field("t", "x".repeat(10_000)).field("n", Long.MAX_VALUE).endObject();
    assertThat(text()).hasSize(10_000 + 19 + 13);
  }

  @Test
  void writesTheNextAnswerAfterAClear() {
    json.beginObject().field("t", "x".repeat(100_000)).endObject();
    json.clear().beginObject().field("a", 1).field("b", 2);
    json.clear().beginObject().field("c", 100).endObject();
    assertThat(text()).isEqualTo("{\"c\":100}");
    assertThat(json.bytes()).hasSizeLessThan(1_000);
  }

  private String text() {
    return new String(json.bytes(), 0, json.length(), StandardCharsets.UTF_8);
  }

  private static JsonParser value(JsonWriter writer) throws IOException {
    JsonParser parser = new JsonFactory().createParser(writer.bytes(), 0, writer.length());
    parser.nextToken();
    parser.nextToken();
    parser.nextToken();
    return parser;
  }
}
