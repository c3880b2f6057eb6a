package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RequestScheduleTest {

  private static final OvershootSettings SETTINGS = Fixtures.small();

  private static RequestSchedule plan(TrafficPattern traffic, double load) {
    return traffic.plan(SETTINGS, load, new Random(1));
  }

  private static long[] byRegion(List<RequestSchedule.Request> requests) {
    long[] counts = new long[SETTINGS.regions()];
    requests.forEach(request -> counts[request.node() / SETTINGS.nodes()]++);
    return counts;
  }

  @ParameterizedTest
  @EnumSource
  void isInTheOrderOfTimeAndWithinIt(TrafficPattern traffic) {
    RequestSchedule plan = plan(traffic, 2);
    assertThat(plan.requests()).isSortedAccordingTo((a, b) -> Long.compare(a.nanos(), b.nanos()));
    assertThat(plan.requests())
        .allMatch(request -> request.nanos() >= plan.begin() && request.nanos() < plan.end())
        .allMatch(request -> request.node() < SETTINGS.allNodes());
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"OVERSIZED", "BLEED_IN"})
  void asksForTheLoad(TrafficPattern traffic) {
    RequestSchedule plan = plan(traffic, 2);
    double expected = 2.0 * SETTINGS.limit() * plan.windows();
    assertThat((double) plan.requests().size()).isBetween(0.9 * expected, 1.1 * expected);
  }

  @ParameterizedTest
  @EnumSource
  void isTheSameForTheSameSeed(TrafficPattern traffic) {
    assertThat(plan(traffic, 2).requests()).isEqualTo(plan(traffic, 2).requests());
  }

  @Test
  void oneRegionIsAskedAlone() {
    assertThat(byRegion(plan(TrafficPattern.ONE_REGION, 1).requests()))
        .startsWith(plan(TrafficPattern.ONE_REGION, 1).requests().size(), 0, 0);
  }

  @Test
  void zipfAsksTheFirstRegionMost() {
    long[] counts = byRegion(plan(TrafficPattern.ZIPF, 10).requests());
    assertThat((double) counts[0] / counts[1]).isBetween(1.8, 2.2);
    assertThat((double) counts[0] / counts[4]).isBetween(4.5, 5.5);
  }

  @Test
  void aRegionJoinsInTheMiddleOfAWindow() {
    RequestSchedule plan = plan(TrafficPattern.JOINS_LATE, 2);
    long joins = plan.begin() + 90_000_000_000L;
    assertThat(plan.requests().stream()
            .filter(request -> request.node() >= SETTINGS.nodes())
            .mapToLong(RequestSchedule.Request::nanos)
            .min()
            .orElseThrow())
        .isBetween(joins, joins + 1_000_000_000);
  }

  @Test
  void anAttackerAsksAllNodesInTurn() {
    List<RequestSchedule.Request> requests = plan(TrafficPattern.ATTACKER, 2).requests();
    assertThat(LongStream.of(byRegion(requests)).max().orElseThrow()
            - LongStream.of(byRegion(requests)).min().orElseThrow())
        .isLessThanOrEqualTo(1);
  }

  @Test
  void eachWindowHasItsRequestThatIsTooLarge() {
    RequestSchedule plan = plan(TrafficPattern.OVERSIZED, 0.5);
    assertThat(plan.requests().stream().filter(request -> request.cost() > plan.limit()))
        .hasSize(plan.windows());
  }
}
