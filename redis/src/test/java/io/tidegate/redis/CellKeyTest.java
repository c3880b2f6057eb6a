package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class CellKeyTest {

  private record Named(String region, WindowCell cell) {

    ByteBuffer bytes() {
      return ByteBuffer.wrap(CellKey.of(region, cell).getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void isReadable() {
    Series series = new Series(new Scope("acme", "log in", 60_000), "user:42");
    assertThat(CellKey.of("eu", new WindowCell(series, 29_913_089)))
        .isEqualTo("tidegate:{eu:acme:log%20in:60000:user%3a42}:29913089:counts");
  }

  @Test
  void leavesLettersOfAllScriptsAsTheyAre() {
    Series series = new Series(new Scope("große", "日本", 60_000), "😀");
    assertThat(CellKey.of("eu", new WindowCell(series, 1)))
        .isEqualTo("tidegate:{eu:große:日本:60000:😀}:1:counts");
  }

  /** As bytes, which is what Redis compares: half a character has none. */
  @Property(tries = 20_000)
  void noTwoCellsHaveTheSameKey(@ForAll("cells") Named one, @ForAll("cells") Named other) {
    assertThat(one.bytes().equals(other.bytes())).isEqualTo(one.equals(other));
  }

  /** Whatever a writer is called, its field is not that of the total. */
  @Property
  void noWriterHasTheFieldOfTheTotal(@ForAll("cells") Named named) {
    assertThat(CellKey.field(named.region())).doesNotContain(":");
    assertThat(CellKey.field(named.region() + CellKey.TOTAL)).isNotEqualTo(CellKey.TOTAL);
    assertThat(CellKey.field(CellKey.TOTAL)).isNotEqualTo(CellKey.TOTAL);
  }

  /** So that a cluster keeps both cells of a series in one place. */
  @Property
  void whatIsInTheFirstBracesIsTheSeries(@ForAll("cells") Named named) {
    String key = CellKey.of(named.region(), named.cell());
    String previous = CellKey.of(named.region(), named.cell().previous());
    assertThat(tag(key)).isEqualTo(tag(previous)).isNotEmpty();
    assertThat(key.substring(key.indexOf('}'))).doesNotContain("{");
  }

  private static String tag(String key) {
    return key.substring(key.indexOf('{') + 1, key.indexOf('}'));
  }

  /** Of few characters, those that matter, so that names often nearly meet. */
  @Provide
  Arbitrary<Named> cells() {
    Arbitrary<String> names = Arbitraries.of(
            List.of("a", ":", "{", "}", "%", "3", "u", " ", "\ud83d", "\ude00", "?", "\ufffd", "d"))
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(parts -> String.join("", parts));
    return Combinators.combine(names, names, names, names, Arbitraries.of(1_000L, 10_000L))
        .as((region, workspace, namespace, identifier, window) -> new Named(
            region,
            new WindowCell(
                new Series(new Scope(workspace, namespace, window), identifier), window / 1_000)));
  }
}
