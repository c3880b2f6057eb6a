package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The shape that the RFC found, or nothing that is simulated with it says anything. */
class FleetTrafficTest {

  private static final int SERIES = 2 * FleetTraffic.DEAL;

  private final FleetTraffic traffic = new FleetTraffic(FleetSize.ONE, SERIES, 1);

  private long count(FleetTraffic of, int limit) {
    return IntStream.range(0, of.seriesCount())
        .filter(series -> of.ofSeries(series).limit() == limit)
        .count();
  }

  private static long hot(FleetTraffic traffic) {
    return IntStream.range(0, traffic.seriesCount())
        .filter(series -> traffic.askedPerWindow(series) > 8)
        .count();
  }

  @Test
  void limitsAreMixedAndOneInTenIsHot() {
    assertThat(count(traffic, 20)).isEqualTo(SERIES / 5);
    assertThat(count(traffic, 100)).isEqualTo(SERIES * 7 / 10);
    assertThat(count(traffic, 1_000)).isEqualTo(SERIES / 10);
    assertThat(hot(traffic)).isEqualTo(SERIES / 10);
  }

  @Test
  void aHotSeriesAsksForHalfToOneAndAHalfOfItsLimit() {
    double[] parts = IntStream.range(0, SERIES)
        .filter(series -> traffic.askedPerWindow(series) > 8)
        .mapToDouble(series ->
            (double) traffic.askedPerWindow(series) / traffic.ofSeries(series).limit())
        .toArray();
    assertThat(Arrays.stream(parts)).allMatch(part -> part >= 0.45 && part < 1.5);
    assertThat(Arrays.stream(parts).average().orElseThrow()).isEqualTo(1, within(0.02));
  }

  @Test
  void oneInTwentyIsUsedInSeveralRegions() {
    long shared = IntStream.range(0, SERIES).filter(traffic::isShared).count();
    assertThat((double) shared / SERIES)
        .as("a little less, as one who asks once is in one region only")
        .isEqualTo(0.044, within(0.005));
  }

  @Test
  void noneIsUsedInMoreThanTenRegions() {
    FleetTraffic large = new FleetTraffic(FleetSize.TEN, SERIES, 1);
    Map<Integer, Set<Integer>> regions = new HashMap<>();
    for (long request : large.requests()) {
      regions
          .computeIfAbsent(FleetTraffic.series(request), series -> new TreeSet<>())
          .add(FleetSize.TEN.regionOf(FleetTraffic.node(request)));
    }
    assertThat(regions.values().stream().mapToInt(Set::size).max()).hasValue(10);
    regions.forEach(
        (series, used) -> assertThat(large.isShared(series)).isEqualTo(used.size() > 1));
  }

  @Test
  void requestsComeInTheOrderOfTheirTimesOverTheWholeWindow() {
    long[] offsets =
        Arrays.stream(traffic.requests()).map(FleetTraffic::offsetNanos).toArray();
    assertThat(offsets).isSorted();
    assertThat(offsets[0]).isBetween(0L, 100_000_000L);
    assertThat(offsets[offsets.length - 1]).isBetween(59_900_000_000L, 59_999_999_999L);
    assertThat(offsets[offsets.length / 2]).isBetween(29_000_000_000L, 31_000_000_000L);
    assertThat(offsets)
        .hasSize(IntStream.range(0, SERIES).map(traffic::askedPerWindow).sum());
  }

  @Test
  void nearlyEveryNodeOfAFleetIsAsked() {
    for (FleetSize shape : FleetSize.ALL) {
      long[] requests = new FleetTraffic(shape, SERIES, 1).requests();
      int[] nodes = Arrays.stream(requests)
          .mapToInt(FleetTraffic::node)
          .distinct()
          .sorted()
          .toArray();
      assertThat(nodes.length).isBetween(shape.nodes() * 99 / 100, shape.nodes());
      assertThat(nodes[nodes.length - 1]).isLessThan(shape.nodes());
    }
  }

  @Test
  void fewerSeriesAreTheFirstOfMore() {
    FleetTraffic fewer = new FleetTraffic(FleetSize.ONE, FleetTraffic.DEAL, 1);
    assertThat(fewer.requests())
        .isEqualTo(Arrays.stream(traffic.requests())
            .filter(request -> FleetTraffic.series(request) < FleetTraffic.DEAL)
            .toArray());
    assertThat(fewer.ofSeries(7)).isEqualTo(traffic.ofSeries(7));
    assertThat(hot(fewer)).isEqualTo(FleetTraffic.DEAL / 10);
  }

  @Test
  void anotherSeedAsksElsewhereForAsMuch() {
    FleetTraffic other = new FleetTraffic(FleetSize.ONE, SERIES, 2);
    assertThat(other.requests())
        .hasSize(traffic.requests().length)
        .isNotEqualTo(traffic.requests());
  }

  @Test
  void knowsItsSeriesByTheirIdentifiers() {
    assertThat(traffic.numberOf(traffic.ofSeries(17).identifier())).isEqualTo(17);
  }

  @Test
  void countsTheSeriesThatANodeIsAskedFor() {
    FleetTraffic small = new FleetTraffic(FleetSize.ONE, 200, 1);
    long pairs = Arrays.stream(small.requests())
        .mapToObj(request -> FleetTraffic.node(request) + "/" + FleetTraffic.series(request))
        .distinct()
        .count();
    assertThat(small.seriesPerNode()).isEqualTo(pairs / 33.0, within(1e-9));
  }
}
