package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.cluster.SlotHash;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellKeyTest {

  private record Named(String region, WindowCell cell) {

    ByteBuffer bytes() {
      return CellKeyTest.bytes(CellKey.of(region, cell));
    }
  }

  private static final List<String> SUMS =
      List.of(CellKey.TOTAL, CellKey.IMPORTED, CellKey.REGIONS, CellKey.PUSHED);

  private static ByteBuffer bytes(String key) {
    return ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void isReadable() {
    Series series = new Series(new Scope("acme", "log in", 60_000), "user:42");
    assertThat(CellKey.of("eu", new WindowCell(series, 29_913_089)))
        .isEqualTo("tidegate:{eu:acme:log%20in:60000:user%3a42}:29913089:counts");
  }

  @Test
  void keepsLettersOfAllScriptsUnescaped() {
    Series series = new Series(new Scope("große", "日本", 60_000), "😀");
    assertThat(CellKey.of("eu", new WindowCell(series, 1)))
        .isEqualTo("tidegate:{eu:große:日本:60000:😀}:1:counts");
  }

  /** Compares bytes, as Redis does: an unpaired surrogate has no encoding in UTF-8. */
  @Test
  void noTwoCellsHaveTheSameKey() {
    Property.check(25_000, random -> {
      Named one = named(random);
      Named other = named(random);
      assertThat(one.bytes().equals(other.bytes())).isEqualTo(one.equals(other));
    });
  }

  /** Fields of sums and of regions start with a colon. */
  @Test
  void noWriterHasAFieldThatIsNotItsOwn() {
    Property.check(1_200, random -> {
      String name = name(random);
      assertThat(CellKey.field(name)).doesNotContain(":");
      assertThat(CellKey.from(name)).startsWith(":from:");
    });
    for (String field : SUMS) {
      assertThat(field).startsWith(":").doesNotStartWith(":from:");
      assertThat(CellKey.field(field)).doesNotContain(":");
      assertThat(CellKey.from(field)).isNotIn(SUMS);
    }
  }

  @Test
  void fieldsAreReadBack() {
    Property.check(25_000, random -> {
      String name = name(random);
      assertThat(CellKey.writerOf(CellKey.field(name))).contains(name);
      assertThat(CellKey.regionOf(CellKey.field(name))).isEmpty();
      assertThat(CellKey.regionOf(CellKey.from(name))).contains(name);
      assertThat(CellKey.writerOf(CellKey.from(name))).isEmpty();
    });
    for (String field : SUMS) {
      assertThat(CellKey.writerOf(field)).isEmpty();
      assertThat(CellKey.regionOf(field)).isEmpty();
    }
  }

  @Test
  void fieldThatNoWriterHasIsRejected() {
    for (String field : List.of("a%", "%3", "%u", "%ud8", "%zz")) {
      assertThatThrownBy(() -> CellKey.writerOf(field))
          .as(field)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void noTwoRegionsHaveTheSameField() {
    Property.check(25_000, random -> {
      String one = name(random);
      String other = name(random);
      assertThat(bytes(CellKey.from(one)).equals(bytes(CellKey.from(other))))
          .isEqualTo(one.equals(other));
    });
  }

  /** One script uses both, which Redis Cluster allows for keys of one slot only. */
  @Test
  void nodesAndReaderOfARegionHaveOneSlot() {
    assertThat(CellKey.nodes("eu central")).isEqualTo("tidegate:{eu%20central}:nodes");
    assertThat(CellKey.reader("eu central")).isEqualTo("tidegate:{eu%20central}:reader");
    Property.check(1_200, random -> {
      String region = name(random);
      assertThat(SlotHash.getSlot(CellKey.reader(region)))
          .isEqualTo(SlotHash.getSlot(CellKey.nodes(region)));
    });
  }

  /** Redis Cluster then keeps both cells of a series on one master. */
  @Test
  void hashTagIsTheSeries() {
    Property.check(1_200, random -> {
      Named named = named(random);
      String key = CellKey.of(named.region(), named.cell());
      String previous = CellKey.of(named.region(), named.cell().previous());
      assertThat(tag(key)).isEqualTo(tag(previous)).isNotEmpty();
      assertThat(key.substring(key.indexOf('}'))).doesNotContain("{");
    });
  }

  private static String tag(String key) {
    return key.substring(key.indexOf('{') + 1, key.indexOf('}'));
  }

  private static Named named(Generator random) {
    String region = name(random);
    long window = random.oneOf(1_000L, 10_000L);
    Scope scope = new Scope(name(random), name(random), window);
    return new Named(region, new WindowCell(new Series(scope, name(random)), window / 1_000));
  }

  /** Uses only characters with a meaning in keys, so that names often nearly collide. */
  private static String name(Generator random) {
    return random.text(
        1, 3, "a", ":", "{", "}", "%", "3", "u", " ", "\ud83d", "\ude00", "?", "\ufffd", "d");
  }
}
