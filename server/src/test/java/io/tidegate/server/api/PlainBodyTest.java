package io.tidegate.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.service.EntryLimit;
import io.tidegate.server.service.LimitEntry;
import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainBodyTest {

  private static final String TYPICAL =
      "{\"namespace\":\"calls\",\"identifier\":\"user_42\",\"limit\":10,\"duration\":60000}";

  @Test
  void readsATypicalBody() {
    BodyObject fields = read(TYPICAL);
    assertThat(fields.namespace()).isEqualTo("calls");
    assertThat(fields.identifier()).isEqualTo("user_42");
    assertThat(fields.limit()).isEqualTo(10);
    assertThat(fields.durationMillis()).isEqualTo(60_000);
    assertThat(fields.cost()).isEqualTo(1);
  }

  @Test
  void acceptsFieldsInAnyOrderAndBlanks() {
    BodyObject fields = read(
        " {\n\t\"cost\" : 0 ,\r\"duration\":60000,\"limit\":1000000000000, \"identifier\": \"~ {}[]:,'\" , \"namespace\":\"n\" } \n");
    assertThat(fields.identifier()).isEqualTo("~ {}[]:,'");
    assertThat(fields.limit()).isEqualTo(1_000_000_000_000L);
    assertThat(fields.cost()).isZero();
  }

  @Test
  void readsABodyThatNamesARule() {
    BodyObject fields =
        read("{\"namespace\":\"calls\",\"identifier\":\"user_42\",\"rule\":\"login\",\"cost\":2}");
    assertThat(fields.toLimitEntry())
        .isEqualTo(new LimitEntry("calls", "user_42", new EntryLimit.Named("login"), 2));
  }

  /** The general reader then decides whether the body is valid. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "[" + TYPICAL + "]",
        TYPICAL + "x",
        TYPICAL + "{}",
        "{\"namespace\":\"a\\u0062\",\"identifier\":\"u\",\"limit\":10,\"duration\":60000}",
        "{\"namespace\":\"ä\",\"identifier\":\"u\",\"limit\":10,\"duration\":60000}",
        "{\"namespace\":\"a\tb\",\"identifier\":\"u\",\"limit\":10,\"duration\":60000}",
        "{\"namespace\":\"\",\"identifier\":\"u\",\"limit\":10,\"duration\":60000}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":0,\"duration\":60000}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":010,\"duration\":60000}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":1.0,\"duration\":60000}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":1e1,\"duration\":60000}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":-1,\"duration\":60000}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":,\"duration\":60000}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":99999999999999999999,\"duration\":60000}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":\"10\",\"duration\":60000}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":10}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":10,\"rule\":\"r\"}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":10,\"duration\":60000,\"rule\":\"r\"}",
        "{\"namespace\":\"n\",\"rule\":\"r\"}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":10,\"duration\":60000,}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":10,\"duration\":60000,\"cost\":null}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":10,\"duration\":60000,\"limit\":10}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":10,\"duration\":60000,\"cursor\":\"c\"}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":10,\"duration\":60000,\"async\":true}",
        "{\"namespace\":\"n\",\"identifier\":\"u\" \"limit\":10,\"duration\":60000}",
        "{\"namespace\":\"n\",\"identifier\":\"u\",\"limit\":10,\"duration\":60000",
        "{\"namespace\":\"n\",\"identifier\":\"u",
        "{\"namespace\":\"n\",\"identifier"
      })
  void returnsNullForOtherBodies(String body) {
    assertThat(read(body)).isNull();
  }

  /** The general reader accepts every body that the plain reader accepts, with the same fields. */
  @Test
  void agreesWithTheGeneralReader() {
    Property.check(2_500, random -> {
      byte[] bytes = nearlyPlain(random).getBytes(StandardCharsets.UTF_8);
      BodyObject plain = PlainBody.read(BodySchema.LIMIT, bytes);
      BodyReader.Result general = BodyReader.object(BodySchema.LIMIT, bytes);
      if (plain != null) {
        assertThat(general.errors()).isEmpty();
        assertThat(plain).usingRecursiveComparison().isEqualTo(general.objects().get(0));
      }
    });
  }

  /** A typical body with a character replaced and a piece inserted. */
  private static String nearlyPlain(Generator random) {
    StringBuilder body = new StringBuilder(TYPICAL);
    int first = random.nextInt(TYPICAL.length());
    body.replace(first, first + 1, piece(random));
    int second = Math.min(random.nextInt(TYPICAL.length()), body.length());
    return body.insert(second, piece(random)).toString();
  }

  private static String piece(Generator random) {
    return random.oneOf(
        "", " ", "\"", "0", "9", ",", ":", "{", "}", "\\", "é", "limit", "\n", "-", ".");
  }

  private static BodyObject read(String body) {
    return PlainBody.read(BodySchema.LIMIT, body.getBytes(StandardCharsets.UTF_8));
  }
}
