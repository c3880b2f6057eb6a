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

/** The mix of series of the reference system, on which all figures of fleets depend. */
class FleetTrafficTest {

  private static final int SERIES = 2 * FleetTraffic.MIX;

  private final FleetTraffic traffic = new FleetTraffic(FleetSize.ONE, SERIES, 1);

  private long count(int limit) {
    return IntStream.range(0, SERIES)
        .filter(series -> traffic.ofSeries(series).limit() == limit)
        .count();
  }

  /** Requests per window by series. */
  private static int[] perWindow(FleetTraffic traffic) {
    int[] counts = new int[SERIES];
    Arrays.stream(traffic.requests()).forEach(request -> counts[FleetTraffic.series(request)]++);
    return counts;
  }

  private static long hot(FleetTraffic traffic) {
    return Arrays.stream(perWindow(traffic)).filter(requests -> requests > 8).count();
  }

  @Test
  void limitsAreMixedAndOneInTenIsHot() {
    assertThat(count(20)).isEqualTo(SERIES / 5);
    assertThat(count(100)).isEqualTo(SERIES * 7 / 10);
    assertThat(count(1_000)).isEqualTo(SERIES / 10);
    assertThat(hot(traffic)).isEqualTo(SERIES / 10);
  }

  @Test
  void aHotSeriesRequestsHalfToOneAndAHalfOfItsLimit() {
    int[] requests = perWindow(traffic);
    double[] parts = IntStream.range(0, SERIES)
        .filter(series -> requests[series] > 8)
        .mapToDouble(
            series -> (double) requests[series] / traffic.ofSeries(series).limit())
        .toArray();
    assertThat(Arrays.stream(parts)).allMatch(part -> part >= 0.45 && part < 1.5);
    assertThat(Arrays.stream(parts).average().orElseThrow()).isEqualTo(1, within(0.02));
  }

  @Test
  void oneSeriesInTwentyIsUsedInSeveralRegions() {
    long shared = IntStream.range(0, SERIES).filter(traffic::isShared).count();
    assertThat((double) shared / SERIES)
        .as("slightly fewer, because a series with one request is in one region")
        .isEqualTo(0.044, within(0.005));
  }

  @Test
  void noSeriesIsUsedInMoreThanTenRegions() {
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
  void requestsAreSortedAndCoverTheWindow() {
    long[] offsets =
        Arrays.stream(traffic.requests()).map(FleetTraffic::offsetNanos).toArray();
    assertThat(offsets).isSorted();
    assertThat(offsets[0]).isBetween(0L, 100_000_000L);
    assertThat(offsets[offsets.length - 1]).isBetween(59_900_000_000L, 59_999_999_999L);
    assertThat(offsets[offsets.length / 2]).isBetween(29_000_000_000L, 31_000_000_000L);
    assertThat(offsets.length / SERIES).as("requests per series, hot or not").isEqualTo(21);
  }

  @Test
  void nearlyAllNodesReceiveRequests() {
    for (FleetSize size : FleetSize.ALL) {
      long[] requests = new FleetTraffic(size, SERIES, 1).requests();
      int[] nodes = Arrays.stream(requests)
          .mapToInt(FleetTraffic::node)
          .distinct()
          .sorted()
          .toArray();
      assertThat(nodes.length).isBetween(size.nodes() * 99 / 100, size.nodes());
      assertThat(nodes[nodes.length - 1]).isLessThan(size.nodes());
    }
  }

  @Test
  void aSampleIsThePrefixOfALargerOne() {
    FleetTraffic fewer = new FleetTraffic(FleetSize.ONE, FleetTraffic.MIX, 1);
    assertThat(fewer.requests())
        .isEqualTo(Arrays.stream(traffic.requests())
            .filter(request -> FleetTraffic.series(request) < FleetTraffic.MIX)
            .toArray());
    assertThat(fewer.ofSeries(7)).isEqualTo(traffic.ofSeries(7));
    assertThat(hot(fewer)).isEqualTo(FleetTraffic.MIX / 10);
  }

  @Test
  void anotherSeedMovesTheSameNumberOfRequests() {
    FleetTraffic other = new FleetTraffic(FleetSize.ONE, SERIES, 2);
    assertThat(other.requests())
        .hasSize(traffic.requests().length)
        .isNotEqualTo(traffic.requests());
  }

  @Test
  void findsSeriesByIdentifier() {
    assertThat(traffic.numberOf(traffic.ofSeries(17).identifier())).isEqualTo(17);
  }

  @Test
  void countsTheSeriesOfANode() {
    FleetTraffic small = new FleetTraffic(FleetSize.ONE, 200, 1);
    long pairs = Arrays.stream(small.requests())
        .mapToObj(request -> FleetTraffic.node(request) + "/" + FleetTraffic.series(request))
        .distinct()
        .count();
    assertThat(small.seriesPerNode()).isEqualTo(pairs / 33.0, within(1e-9));
  }
}
