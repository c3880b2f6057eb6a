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

  private static RequestSchedule schedule(TrafficPattern pattern, double load) {
    return new RequestSchedule(pattern, SETTINGS, load, new Random(1));
  }

  private static long[] byRegion(List<RequestSchedule.Request> requests) {
    long[] counts = new long[SETTINGS.regions()];
    requests.forEach(request -> counts[request.node() / SETTINGS.nodes()]++);
    return counts;
  }

  @ParameterizedTest
  @EnumSource
  void isSortedByTimeAndWithinTheRun(TrafficPattern pattern) {
    RequestSchedule schedule = schedule(pattern, 2);
    assertThat(schedule.requests).isSortedAccordingTo((a, b) -> Long.compare(a.nanos(), b.nanos()));
    assertThat(schedule.requests)
        .allMatch(request -> request.nanos() >= schedule.begin && request.nanos() < schedule.end)
        .allMatch(request -> request.node() < SETTINGS.allNodes());
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"OVERSIZED", "BLEED_IN"})
  void hasTheRequestedLoad(TrafficPattern pattern) {
    RequestSchedule schedule = schedule(pattern, 2);
    double expected = 2.0 * SETTINGS.limit() * schedule.windows;
    assertThat((double) schedule.requests.size()).isBetween(0.9 * expected, 1.1 * expected);
  }

  @ParameterizedTest
  @EnumSource
  void isTheSameForTheSameSeed(TrafficPattern pattern) {
    assertThat(schedule(pattern, 2).requests).isEqualTo(schedule(pattern, 2).requests);
  }

  @Test
  void oneRegionReceivesAllRequests() {
    assertThat(byRegion(schedule(TrafficPattern.ONE_REGION, 1).requests))
        .startsWith(schedule(TrafficPattern.ONE_REGION, 1).requests.size(), 0, 0);
  }

  @Test
  void zipfFavoursTheFirstRegion() {
    long[] counts = byRegion(schedule(TrafficPattern.ZIPF, 10).requests);
    assertThat((double) counts[0] / counts[1]).isBetween(1.8, 2.2);
    assertThat((double) counts[0] / counts[4]).isBetween(4.5, 5.5);
  }

  @Test
  void aRegionJoinsInTheMiddleOfAWindow() {
    RequestSchedule schedule = schedule(TrafficPattern.JOINS_LATE, 2);
    long joins = schedule.begin + 90_000_000_000L;
    assertThat(schedule.requests.stream()
            .filter(request -> request.node() >= SETTINGS.nodes())
            .mapToLong(RequestSchedule.Request::nanos)
            .min()
            .orElseThrow())
        .isBetween(joins, joins + 1_000_000_000);
  }

  @Test
  void anAttackerUsesAllNodesInTurn() {
    List<RequestSchedule.Request> requests = schedule(TrafficPattern.ATTACKER, 2).requests;
    assertThat(LongStream.of(byRegion(requests)).max().orElseThrow()
            - LongStream.of(byRegion(requests)).min().orElseThrow())
        .isLessThanOrEqualTo(1);
  }

  @Test
  void eachWindowHasAnOversizedRequest() {
    RequestSchedule schedule = schedule(TrafficPattern.OVERSIZED, 0.5);
    assertThat(schedule.requests.stream().filter(request -> request.cost() > schedule.limit))
        .hasSize(schedule.windows);
  }
}
