package io.tidegate.testing.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Bounds;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link GlobalCounters}, as tests. Every implementation passes them; those outside
 * this project extend this class too.
 *
 * <pre>{@code
 * class SpannerCountersTest extends GlobalCountersContract {
 *
 *   private final SpannerCounters counters = new SpannerCounters(EMULATOR);
 *
 *   @BeforeEach
 *   void empty() {
 *     EMULATOR.truncate("counts");
 *   }
 *
 *   @AfterEach
 *   void close() {
 *     counters.close();
 *   }
 *
 *   @Override
 *   protected GlobalCounters counters() {
 *     return counters;
 *   }
 * }
 * }</pre>
 *
 * <p>The class is in the test-jar of {@code tidegate-core}; {@link RegionalOriginContract} shows
 * the dependencies to add.
 *
 * <p>The tests cover what the limiter relies on while the store is available. An adapter adds tests
 * of its own for outages, for concurrent pushes from several nodes, and for components that its
 * store cannot keep, which {@link GlobalCounters#push} returns.
 */
public abstract class GlobalCountersContract {

  private static final long WINDOW = 60_000;
  private static final long NOW = 1_000_000 * WINDOW + 5_000;

  private final Scope scope = new Scope("acme", "login", WINDOW);

  /**
   * The counters under test. Their store is empty when a test starts.
   *
   * @return the same counters, or another connection to the same store, during one test
   */
  protected abstract GlobalCounters counters();

  private WindowCell cell(String identifier) {
    return WindowCell.at(new Series(scope, identifier), NOW);
  }

  private List<Component> push(Component... components) {
    return push(List.of(components));
  }

  private List<Component> push(List<Component> components) {
    return counters()
        .push(components)
        .toCompletableFuture()
        .orTimeout(30, TimeUnit.SECONDS)
        .join();
  }

  private long pull(String region, long since, List<Component> into) {
    return counters()
        .pull(region, since, NOW, into::add)
        .toCompletableFuture()
        .orTimeout(30, TimeUnit.SECONDS)
        .join();
  }

  /** Pulls for a region that has pushed nothing. */
  private long pull(long since, List<Component> into) {
    return pull("elsewhere", since, into);
  }

  private List<Component> pullOthers(String region) {
    List<Component> others = new ArrayList<>();
    pull(region, GlobalCounters.EVERYTHING, others);
    return others;
  }

  private List<Component> pullAll() {
    return pullOthers("elsewhere");
  }

  private List<Component> pullOwn(String region) {
    List<Component> own = new ArrayList<>();
    counters()
        .pullOwn(region, NOW, own::add)
        .toCompletableFuture()
        .orTimeout(30, TimeUnit.SECONDS)
        .join();
    return own;
  }

  @Test
  void emptyStoreReturnsNothing() {
    assertThat(pullAll()).isEmpty();
    assertThat(pullOwn("eu")).isEmpty();
  }

  @Test
  void regionsHaveTheirOwnComponents() {
    Component eu = new Component("eu", cell("user"), 6);
    Component us = new Component("us", cell("user"), 4);
    assertThat(push(eu, us)).isEmpty();
    assertThat(pullAll()).containsExactlyInAnyOrder(eu, us);
  }

  @Test
  void cellsHaveTheirOwnComponents() {
    Component current = new Component("eu", cell("user"), 6);
    Component previous = new Component("eu", cell("user").previous(), 4);
    push(current, previous);
    assertThat(pullAll()).containsExactlyInAnyOrder(current, previous);
  }

  @Test
  void pushRaisesACountAndNeverLowersIt() {
    push(new Component("eu", cell("user"), 6));
    push(new Component("eu", cell("user"), 4));
    assertThat(pullAll()).containsExactly(new Component("eu", cell("user"), 6));
    push(new Component("eu", cell("user"), 7));
    push(new Component("eu", cell("user"), 7));
    assertThat(pullAll()).containsExactly(new Component("eu", cell("user"), 7));
  }

  @Test
  void pullReturnsTheChangesSinceAnEarlierPull() {
    push(new Component("eu", cell("one"), 1), new Component("eu", cell("two"), 2));
    List<Component> first = new ArrayList<>();
    long next = pull(GlobalCounters.EVERYTHING, first);
    assertThat(first).hasSize(2);
    push(new Component("eu", cell("two"), 3), new Component("us", cell("three"), 4));
    List<Component> second = new ArrayList<>();
    next = pull(next, second);
    assertThat(second)
        .contains(new Component("eu", cell("two"), 3), new Component("us", cell("three"), 4));
    push(new Component("eu", cell("one"), 5));
    List<Component> third = new ArrayList<>();
    pull(next, third);
    assertThat(third).contains(new Component("eu", cell("one"), 5));
  }

  @Test
  void pullOfAnEmptyStoreReturnsAMarkForAllLaterChanges() {
    long next = pull(GlobalCounters.EVERYTHING, new ArrayList<>());
    push(new Component("eu", cell("user"), 5));
    List<Component> changed = new ArrayList<>();
    pull(next, changed);
    assertThat(changed).containsExactly(new Component("eu", cell("user"), 5));
  }

  @Test
  void pullLeavesOutTheOwnRegion() {
    Component eu = new Component("eu", cell("user"), 6);
    Component us = new Component("us", cell("user"), 4);
    Component asia = new Component("asia", cell("other"), 3);
    push(eu, us, asia);
    assertThat(pullOthers("eu")).containsExactlyInAnyOrder(us, asia);
    assertThat(pullOthers("us")).containsExactlyInAnyOrder(eu, asia);
  }

  @Test
  void pullOwnReturnsOnlyTheOwnRegion() {
    Component eu = new Component("eu", cell("user"), 6);
    Component previous = new Component("eu", cell("user").previous(), 5);
    push(eu, previous, new Component("us", cell("user"), 4));
    assertThat(pullOwn("eu")).containsExactlyInAnyOrder(eu, previous);
    assertThat(pullOwn("asia")).isEmpty();
  }

  @Test
  void pullOfChangesLeavesOutTheOwnRegion() {
    push(new Component("eu", cell("user"), 1), new Component("us", cell("user"), 2));
    long next = pull("eu", GlobalCounters.EVERYTHING, new ArrayList<>());
    push(new Component("eu", cell("user"), 3));
    push(new Component("us", cell("user"), 4));
    List<Component> changed = new ArrayList<>();
    pull("eu", next, changed);
    assertThat(changed)
        .contains(new Component("us", cell("user"), 4))
        .extracting(Component::region)
        .containsOnly("us");
  }

  /** A mark is not moved by what the own region pushes, nor by pulls of the own region. */
  @Test
  void changesOfOtherRegionsAreReturnedAfterPullsOfTheOwnRegion() {
    long next = pull("eu", GlobalCounters.EVERYTHING, new ArrayList<>());
    push(new Component("us", cell("user"), 4));
    push(new Component("eu", cell("user"), 3));
    pullOwn("eu");
    List<Component> changed = new ArrayList<>();
    pull("eu", next, changed);
    assertThat(changed).containsExactly(new Component("us", cell("user"), 4));
  }

  /** Each pull of the own region is complete: what is missing counts as lost. */
  @Test
  void pullOwnReturnsUnchangedComponentsEveryTime() {
    Component first = new Component("eu", cell("first"), 6);
    Component second = new Component("eu", cell("second"), 7);
    push(first);
    assertThat(pullOwn("eu")).containsExactly(first);
    push(second);
    assertThat(pullOwn("eu")).containsExactlyInAnyOrder(first, second);
    assertThat(pullOwn("eu")).containsExactlyInAnyOrder(first, second);
  }

  @Test
  void expiredCellsAreNotReturned() {
    WindowCell over = cell("over").previous().previous();
    push(new Component("eu", over, 5), new Component("eu", cell("user").previous(), 6));
    assertThat(pullAll()).containsExactly(new Component("eu", cell("user").previous(), 6));
    assertThat(pullOwn("eu")).containsExactly(new Component("eu", cell("user").previous(), 6));
  }

  @Test
  void namesAreComparedCharacterByCharacter() {
    List<String> names = TrickyNames.DISTINCT;
    List<Component> components = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      components.add(new Component("eu", cell(name), i + 1));
      components.add(new Component(
          "eu", WindowCell.at(new Series(new Scope(name, "login", WINDOW), "user"), NOW), i + 101));
      components.add(new Component(
          "eu", WindowCell.at(new Series(new Scope("acme", name, WINDOW), "user"), NOW), i + 201));
    }
    assertThat(push(components)).isEmpty();
    assertThat(pullAll()).containsExactlyInAnyOrderElementsOf(components);
  }

  @Test
  void boundariesBetweenNamesAreKept() {
    List<Component> components = new ArrayList<>();
    for (List<String> names : List.of(
        List.of("ab", "c", "d"),
        List.of("a", "bc", "d"),
        List.of("a", "b", "cd"),
        List.of("abc", "d", "e"))) {
      Scope scope = new Scope(names.get(0), names.get(1), WINDOW);
      components.add(new Component(
          "eu", WindowCell.at(new Series(scope, names.get(2)), NOW), components.size() + 1));
    }
    push(components);
    assertThat(pullAll()).containsExactlyInAnyOrderElementsOf(components);
  }

  @Test
  void regionsAreComparedCharacterByCharacter() {
    List<Component> components = new ArrayList<>();
    for (String region : List.of(
        "eu", "EU", "eu ", "eu  ", " eu", "éu", "e\u0301u", "eu-1", "e_", "e%", "eu'", "欧", "😀")) {
      components.add(new Component(region, cell("user"), components.size() + 1));
    }
    push(components);
    assertThat(pullAll()).containsExactlyInAnyOrderElementsOf(components);
    for (Component component : components) {
      List<Component> others = new ArrayList<>(components);
      others.remove(component);
      String region = component.region();
      assertThat(pullOwn(region)).as("own of '%s'", region).containsExactly(component);
      assertThat(pullOthers(region))
          .as("others of '%s'", region)
          .containsExactlyInAnyOrderElementsOf(others);
    }
  }

  @Test
  void longestNamesAreStoredInEveryScript() {
    List<Component> components = new ArrayList<>();
    for (String letter : List.of("a", "é", "日", "😀")) {
      String longest = letter.repeat(Bounds.MAX_NAME_LENGTH);
      Series series = new Series(new Scope(longest, longest, WINDOW), longest);
      components.add(new Component("r".repeat(48), WindowCell.at(series, NOW), 5));
    }
    // These two differ only in the last character.
    components.add(new Component("eu", cell("x".repeat(511) + "1"), 6));
    components.add(new Component("eu", cell("x".repeat(511) + "2"), 7));
    assertThat(push(components)).isEmpty();
    assertThat(pullAll()).containsExactlyInAnyOrderElementsOf(components);
  }

  @Test
  void windowLengthsHaveTheirOwnComponents() {
    Component minute = new Component("eu", cell("user"), 1);
    Component hour = new Component(
        "eu", WindowCell.at(new Series(new Scope("acme", "login", 3_600_000), "user"), NOW), 2);
    push(minute, hour);
    assertThat(pullAll()).containsExactlyInAnyOrder(minute, hour);
  }

  @Test
  void extremeValuesAreExact() {
    Component component = new Component("eu", cell("great"), 1L << 54);
    Component longest = new Component(
        "eu",
        WindowCell.at(new Series(new Scope("a", "b", Bounds.MAX_WINDOW_MILLIS), "c"), NOW),
        1);
    push(component, longest);
    assertThat(pullAll()).containsExactlyInAnyOrder(component, longest);
  }

  private long announce(String region, String identity) {
    return counters()
        .announce(region, identity)
        .toCompletableFuture()
        .orTimeout(30, TimeUnit.SECONDS)
        .join();
  }

  @Test
  void announcementsOfOtherIdentitiesWithTheSameNameAreCounted() {
    assertThat(announce("eu", "one")).isZero();
    assertThat(announce("eu", "one")).isZero();
    assertThat(announce("us", "two")).isZero();
    assertThat(announce("eu", "two")).isEqualTo(2);
    assertThat(announce("eu", "one")).isEqualTo(1);
    assertThat(announce("eu", "two")).isEqualTo(3);
    assertThat(announce("eu", "three")).isEqualTo(5);
    assertThat(announce("us", "two")).isZero();
  }

  @Test
  void announcementsAreComparedCharacterByCharacter() {
    for (String region : List.of("eu", "EU", "eu ", "éu", "欧".repeat(48))) {
      assertThat(announce(region, "one")).as(region).isZero();
      assertThat(announce(region, "ONE")).as(region).isEqualTo(1);
      assertThat(announce(region, "one ")).as(region).isEqualTo(2);
    }
  }

  @Test
  void thousandsOfComponentsInRandomOrder() {
    List<Component> components = new ArrayList<>(IntStream.range(0, 5_000)
        .mapToObj(i -> new Component("region_" + i % 10, cell("user_" + i / 10), i + 1))
        .toList());
    Collections.shuffle(components, new Random(1));
    for (int i = 0; i < components.size(); i += 1_000) {
      push(components.subList(i, i + 1_000));
    }
    Map<WindowCell, Long> sums = new HashMap<>();
    pullAll().forEach(component -> sums.merge(component.cell(), component.count(), Long::sum));
    assertThat(sums).hasSize(500);
    assertThat(sums.get(cell("user_7"))).isEqualTo(10 * 70 + 55);
    assertThat(pullOthers("region_3")).hasSize(4_500);
    assertThat(pullOwn("region_3")).hasSize(500);
  }

  private List<Component> components(WindowCell cell) {
    return counters()
        .components(cell)
        .toCompletableFuture()
        .orTimeout(30, TimeUnit.SECONDS)
        .join();
  }

  @Test
  void componentsOfACellAreThoseOfAllRegions() {
    Component eu = new Component("eu", cell("user"), 6);
    Component us = new Component("us", cell("user"), 4);
    Component previous = new Component("us", cell("user").previous(), 9);
    push(eu, us, previous, new Component("eu", cell("other"), 5));
    push(new Component("eu", cell("user"), 3));
    assertThat(components(cell("user"))).containsExactlyInAnyOrder(eu, us);
    assertThat(components(cell("user").previous())).containsExactly(previous);
    assertThat(components(cell("unknown"))).isEmpty();
  }

  @Test
  void componentsOfAnEmptyStoreAreNone() {
    assertThat(components(cell("user"))).isEmpty();
  }

  @Test
  void componentsOfARegionWithAnUnusualNameAreRead() {
    List<Component> components = new ArrayList<>();
    for (String region : List.of(
        "eu",
        "EU",
        "eu ",
        "eu  ",
        " eu",
        "  ",
        "éu",
        "e\u0301u",
        "e%",
        "e:u",
        "{eu}",
        "eu\n",
        "eu\t",
        "eu'",
        "欧".repeat(48),
        "😀",
        "r".repeat(48))) {
      components.add(new Component(region, cell("user"), components.size() + 1));
    }
    assertThat(push(components)).isEmpty();
    assertThat(components(cell("user"))).containsExactlyInAnyOrderElementsOf(components);
  }

  @Test
  void componentsOfACellWithAnUnusualNameAreRead() {
    List<Component> components = new ArrayList<>();
    for (String name : TrickyNames.DISTINCT) {
      Series series = new Series(new Scope(name, name, WINDOW), name);
      components.add(new Component("eu", WindowCell.at(series, NOW), components.size() + 1));
    }
    push(components);
    for (Component component : components) {
      assertThat(components(component.cell())).containsExactly(component);
    }
  }

  @Test
  void componentsOfACellWithAnUnpairedSurrogateAreReadOrNone() {
    Component unpaired = new Component("eu", cell("\ud83d"), 3);
    List<Component> rejected = push(unpaired, new Component("eu", cell("?"), 7));
    assertThat(components(cell("\ud83d")))
        .isEqualTo(rejected.isEmpty() ? List.of(unpaired) : List.of());
  }
}
