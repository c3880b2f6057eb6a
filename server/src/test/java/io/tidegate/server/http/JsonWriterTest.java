package io.tidegate.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class JsonWriterTest {

  private final JsonWriter json = new JsonWriter();

  @Test
  void separatesWhatFollows() {
    json.beginObject().field("a", 1).name("b").beginArray();
    json.beginObject().field("c", true).endObject();
    json.beginObject().field("d", "e").field("f", false).endObject();
    json.endArray().name("g").beginObject().endObject().field("h", -5).endObject();
    assertThat(text())
        .isEqualTo("{\"a\":1,\"b\":[{\"c\":true},{\"d\":\"e\",\"f\":false}],\"g\":{},\"h\":-5}");
  }

  @Property
  void everyNumberCanBeReadAgain(@ForAll long number) throws IOException {
    JsonWriter writer = new JsonWriter();
    writer.beginObject().field("n", number).endObject();
    try (JsonParser parser = value(writer)) {
      assertThat(parser.getLongValue()).isEqualTo(number);
    }
  }

  @Property
  void everyTextCanBeReadAgain(@ForAll String text) throws IOException {
    String whole = text.codePoints()
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
    JsonWriter writer = new JsonWriter();
    writer.beginObject().field("t", whole).endObject();
    try (JsonParser parser = value(writer)) {
      assertThat(parser.getText()).isEqualTo(whole);
    }
  }

  @Test
  void escapesWhatNoTextMayHave() {
    json.beginObject().field("t", "\"\\/\n\u0000\u007f\u00e9\u20ac\ud83d\ude00").endObject();
    assertThat(text())
        .isEqualTo("{\"t\":\"\\\"\\\\/\\u000a\\u0000\\u007f\u00e9\u20ac\ud83d\ude00\"}");
  }

  @Test
  void growsWithWhatIsWritten() {
    json.beginObject().field("t", "x".repeat(10_000)).field("n", Long.MAX_VALUE).endObject();
    assertThat(text()).hasSize(10_000 + 19 + 13);
  }

  private String text() {
    return json.toBuffer().toString();
  }

  private static JsonParser value(JsonWriter writer) throws IOException {
    JsonParser parser = new JsonFactory().createParser(writer.toBuffer().getBytes());
    parser.nextToken();
    parser.nextToken();
    parser.nextToken();
    return parser;
  }
}
