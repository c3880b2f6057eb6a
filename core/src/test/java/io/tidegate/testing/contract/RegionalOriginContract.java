package io.tidegate.testing.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Bounds;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import io.tidegate.spi.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link RegionalOrigin}, as tests. Every implementation passes them; those outside
 * this project extend this class too.
 *
 * <pre>{@code
 * class EtcdOriginTest extends RegionalOriginContract {
 *
 *   private static EtcdOrigin origin;
 *
 *   @BeforeAll
 *   static void connect() {
 *     origin = new EtcdOrigin("http://localhost:2379");
 *   }
 *
 *   @AfterAll
 *   static void close() {
 *     origin.close();
 *   }
 *
 *   @Override
 *   protected RegionalOrigin origin() {
 *     return origin;
 *   }
 * }
 * }</pre>
 *
 * <p>The class is in the test-jar of {@code tidegate-core}. Add JUnit Jupiter and AssertJ as well:
 * Maven does not pass on the test dependencies of a test-jar.
 *
 * <pre>{@code
 * <dependency>
 *   <groupId>io.tidegate</groupId>
 *   <artifactId>tidegate-core</artifactId>
 *   <version>${tidegate.version}</version>
 *   <type>test-jar</type>
 *   <scope>test</scope>
 * </dependency>
 * <dependency>
 *   <groupId>org.junit.jupiter</groupId>
 *   <artifactId>junit-jupiter</artifactId>
 *   <version>6.1.3</version>
 *   <scope>test</scope>
 * </dependency>
 * <dependency>
 *   <groupId>org.assertj</groupId>
 *   <artifactId>assertj-core</artifactId>
 *   <version>3.27.7</version>
 *   <scope>test</scope>
 * </dependency>
 * }</pre>
 *
 * <p>The tests cover what the limiter relies on while the store is available. An adapter adds tests
 * of its own for outages: calls must fail or stay incomplete, never block the calling thread, and
 * work again after the outage without being retried by the adapter.
 */
public abstract class RegionalOriginContract {

  private static final Writer ONE = new Writer("eu", "one.1");
  private static final Writer TWO = new Writer("eu", "two.1");

  private final Scope scope = new Scope("acme", "login", Bounds.MAX_WINDOW_MILLIS);

  /**
   * The origin under test. Its store is empty when the first test of the class starts. Tests use
   * series and regions of their own, so that the store need not be emptied between them.
   *
   * @return the same origin, or another connection to the same store, during one test
   */
  protected abstract RegionalOrigin origin();

  private WindowCell cell(String identifier) {
    return new WindowCell(new Series(scope, identifier), 57);
  }

  private RegionalCount read(Writer writer, WindowCell cell) {
    return readAll(writer, List.of(cell)).get(0);
  }

  private List<RegionalCount> readAll(Writer writer, List<WindowCell> cells) {
    return origin()
        .read(cells.stream().map(cell -> new OwnCount(writer, cell, 0)).toList())
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
  }

  private RegionalCount replay(Writer writer, WindowCell cell, long count) {
    return replayAll(List.of(new OwnCount(writer, cell, count))).get(0);
  }

  private List<RegionalCount> replayAll(List<OwnCount> counts) {
    return origin().replay(counts).stream()
        .map(
            stage -> stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join())
        .toList();
  }

  @Test
  void unknownCellHasCountZero() {
    assertThat(read(ONE, cell("unseen"))).isEqualTo(new RegionalCount(0, 0));
  }

  @Test
  void replayReturnsTheCountsBeforeIt() {
    assertThat(replay(ONE, cell("before"), 5)).isEqualTo(new RegionalCount(0, 0));
    assertThat(replay(TWO, cell("before"), 7)).isEqualTo(new RegionalCount(5, 0));
    assertThat(replay(ONE, cell("before"), 9)).isEqualTo(new RegionalCount(12, 5));
    assertThat(read(ONE, cell("before"))).isEqualTo(new RegionalCount(16, 9));
    assertThat(read(TWO, cell("before"))).isEqualTo(new RegionalCount(16, 7));
  }

  @Test
  void repeatedCountChangesNothing() {
    replay(ONE, cell("twice"), 5);
    replay(ONE, cell("twice"), 5);
    assertThat(read(TWO, cell("twice")).total()).isEqualTo(5);
  }

  @Test
  void lateLowerCountChangesNothing() {
    replay(ONE, cell("late"), 9);
    assertThat(replay(ONE, cell("late"), 5)).isEqualTo(new RegionalCount(9, 9));
    assertThat(read(ONE, cell("late"))).isEqualTo(new RegionalCount(9, 9));
  }

  @Test
  void oneReadReturnsSeveralCellsOfASeries() {
    WindowCell cell = cell("pair");
    replay(ONE, cell, 3);
    replay(TWO, cell.previous(), 4);
    assertThat(readAll(ONE, List.of(cell, cell.previous())))
        .containsExactly(new RegionalCount(3, 3), new RegionalCount(4, 0));
  }

  @Test
  void readRaisesTheCountsThatItCarries() {
    WindowCell cell = cell("carried");
    replay(TWO, cell, 4);
    List<OwnCount> counts =
        List.of(new OwnCount(ONE, cell, 3), new OwnCount(ONE, cell.previous(), 0));
    List<RegionalCount> before = origin()
        .read(counts)
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
    assertThat(before).containsExactly(new RegionalCount(4, 0), new RegionalCount(0, 0));
    assertThat(read(ONE, cell)).isEqualTo(new RegionalCount(7, 3));
  }

  @Test
  void regionsDoNotShareCounts() {
    replay(ONE, cell("region"), 3);
    replay(new Writer("us", "one.1"), cell("region"), 4);
    assertThat(read(ONE, cell("region")).total()).isEqualTo(3);
  }

  @Test
  void seriesWithUnusualNamesDoNotShareCounts() {
    List<String> names = List.of(
        "a:b",
        "a",
        "b",
        "a%3ab",
        "{a}",
        "a}",
        "{a",
        " a",
        "a ",
        "A",
        "ä",
        "a\u0308",
        "日本",
        "😀",
        "\ud83d",
        "\ude00",
        "\ud83d\ud83d",
        "?",
        "\ufffd",
        "\u0000",
        "\n",
        "%",
        "%25",
        "a\tb");
    List<OwnCount> counts = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      Series series = new Series(new Scope(names.get(i), "n", 1_000_000), "x");
      counts.add(new OwnCount(ONE, cell(names.get(i)), i + 1));
      counts.add(new OwnCount(ONE, new WindowCell(series, 1), i + 101));
    }
    replayAll(counts);
    for (OwnCount count : counts) {
      assertThat(read(TWO, count.cell()).total()).as("%s", count.cell()).isEqualTo(count.count());
    }
  }

  @Test
  void writersWithUnusualNamesHaveTheirOwnCounts() {
    List<String> names = List.of(
        "a b", "a%20b", "\ud83d", "\ude00", "?", "ä", "a:{}", ":total", "%3atotal", "total");
    for (int i = 0; i < names.size(); i++) {
      replay(new Writer("eu", names.get(i)), cell("writers"), i + 1);
    }
    for (int i = 0; i < names.size(); i++) {
      assertThat(read(new Writer("eu", names.get(i)), cell("writers")))
          .as(names.get(i))
          .isEqualTo(new RegionalCount(55, i + 1));
    }
  }

  @Test
  void largestCountsAreExact() {
    for (int i = 0; i < 10; i++) {
      replay(new Writer("eu", "node_" + i), cell("great"), Bounds.MAX_TOKENS - i);
    }
    assertThat(read(ONE, cell("great")).total()).isEqualTo(10 * Bounds.MAX_TOKENS - 45);
  }

  @Test
  void replayTakesThousandsOfCounts() {
    List<OwnCount> counts = IntStream.range(0, 5_000)
        .mapToObj(i -> new OwnCount(ONE, cell("many_" + i), i + 1))
        .toList();
    assertThat(replayAll(counts)).hasSize(5_000).allMatch(new RegionalCount(0, 0)::equals);
    assertThat(IntStream.of(0, 17, 4_999))
        .allMatch(i -> read(TWO, cell("many_" + i)).total() == i + 1);
  }

  private int register(String region, String node, Duration lifetime) {
    return origin()
        .register(new Registration(region, node, lifetime))
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join()
        .count();
  }

  @Test
  void registeredNodesOfARegionAreCounted() {
    Duration minute = Duration.ofMinutes(1);
    assertThat(register("nodes", "one", minute)).isEqualTo(1);
    assertThat(register("nodes", "two", minute)).isEqualTo(2);
    assertThat(register("nodes", "one", minute)).isEqualTo(2);
    assertThat(register("other nodes", "one", minute)).isEqualTo(1);
    assertThat(register("nodes", "{two}:", minute)).isEqualTo(3);
  }

  @Test
  void nodeWithLifetimeZeroIsRemoved() {
    Duration minute = Duration.ofMinutes(1);
    register("leaving", "one", minute);
    register("leaving", "two", minute);
    assertThat(register("leaving", "one", Duration.ZERO)).isEqualTo(1);
    assertThat(register("leaving", "never registered", Duration.ZERO)).isEqualTo(1);
    assertThat(register("leaving", "two", Duration.ZERO)).isZero();
  }

  private String identify(String region, String candidate) {
    return origin()
        .identify(region, candidate)
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join()
        .orElseThrow();
  }

  @Test
  void firstIdentityOfARegionWins() {
    assertThat(identify("ap", "one")).isEqualTo("one");
    assertThat(identify("ap", "two")).isEqualTo("one");
    assertThat(identify("ap", "one")).isEqualTo("one");
    assertThat(identify("sa", "two")).isEqualTo("two");
  }

  @Test
  void regionsWithUnusualNamesHaveTheirOwnIdentities() {
    List<String> regions = List.of("a:b", "{a}", "a}", "a%3ab", " ", "\ud83d", "\ude00", "日本");
    for (int i = 0; i < regions.size(); i++) {
      assertThat(identify(regions.get(i), "id_" + i)).isEqualTo("id_" + i);
    }
  }

  @Test
  void concurrentCallsAgreeOnOneIdentity() {
    List<CompletableFuture<String>> answers = IntStream.range(0, 50)
        .mapToObj(i -> CompletableFuture.supplyAsync(() -> identify("race", "id_" + i)))
        .toList();
    assertThat(answers.stream().map(CompletableFuture::join).distinct()).hasSize(1);
  }

  @Test
  void longestNamesAreStored() {
    String longest = "é".repeat(Bounds.MAX_NAME_LENGTH);
    Series series = new Series(new Scope(longest, longest, 1_000_000), longest);
    Writer writer = new Writer(longest, longest);
    replay(writer, new WindowCell(series, -3), 5);
    assertThat(read(writer, new WindowCell(series, -3))).isEqualTo(new RegionalCount(5, 5));
  }
}
