package io.tidegate.benchmarks.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The shape of the traffic is that of the reference system. */
class TrafficTest {

  private static final int SERIES = 20_000;

  private final Traffic traffic = new Traffic(SERIES, 60_000);
  private final long[] requests = traffic.requests(0, 1);

  @Test
  void everySeriesIsActiveAndOneInTwentyInSeveralRegions() {
    Map<Integer, Set<Integer>> regions = new HashMap<>();
    for (long request : requests) {
      regions
          .computeIfAbsent(Traffic.series(request), series -> new TreeSet<>())
          .add(Fleet.regionOf(Traffic.node(request)));
    }
    assertThat(regions).hasSize(SERIES);
    long shared = regions.values().stream().filter(used -> used.size() > 1).count();
    assertThat((double) shared / SERIES)
        .as("slightly fewer, because a single request is in one region")
        .isEqualTo(0.046, within(0.005));
  }

  @Test
  void oneInTenIsHot() {
    Map<Integer, Integer> counts = new HashMap<>();
    for (long request : requests) {
      counts.merge(Traffic.series(request), 1, Integer::sum);
    }
    long hot = counts.values().stream().filter(count -> count > 8).count();
    assertThat((double) hot / SERIES).isEqualTo(0.1, within(0.01));
  }

  @Test
  void requestsComeInTheOrderOfTheirTimesOverTheWholeWindow() {
    int[] offsets = Arrays.stream(requests).mapToInt(Traffic::offsetMillis).toArray();
    assertThat(offsets).isSorted();
    assertThat(offsets[0]).isBetween(0, 100);
    assertThat(offsets[offsets.length - 1]).isBetween(59_900, 59_999);
    assertThat(offsets[offsets.length / 2]).isBetween(29_000, 31_000);
  }

  @Test
  void partsMakeUpTheWhole() {
    assertThat(traffic.requests(0, 2).length + traffic.requests(1, 2).length)
        .isEqualTo(traffic.requestsPerWindow());
  }

  @Test
  void regionsHaveThreeOrFourNodesEach() {
    SplittableRandom random = new SplittableRandom(42);
    Set<Integer> nodes = new TreeSet<>();
    for (int region = 0; region < Fleet.REGIONS; region++) {
      Set<Integer> drawn = new TreeSet<>();
      for (int i = 0; i < 1_000; i++) {
        drawn.add(Fleet.randomNode(region, random));
      }
      assertThat(drawn).hasSizeBetween(3, 4).extracting(Fleet::regionOf).containsOnly(region);
      nodes.addAll(drawn);
    }
    assertThat(nodes).hasSize(Fleet.NODES).allMatch(node -> node < Fleet.NODES);
  }
}
