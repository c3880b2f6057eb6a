package io.tidegate.benchmarks.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.load.Quota;
import io.tidegate.benchmarks.regional.Results.Load;
import io.tidegate.benchmarks.regional.Results.Overshoot;
import io.tidegate.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contenders must limit and share their counts; otherwise comparing them is pointless. */
class ContenderTest {

  private static final Settings TINY = new Settings(true, 1, List.of(100), 50, 200, 4, 1);

  private static RedisServer redis;

  @BeforeAll
  static void start() {
    redis = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @ParameterizedTest
  @EnumSource
  void aNodeCountsTokensOfAnotherAndDeniesTheRest(Contender contender) {
    Quota three = new Quota(3, Duration.ofDays(30));
    try (Nodes nodes = new Nodes(contender, redis, three)) {
      assertThat(nodes.get(0).allow("user")).isTrue();
      assertThat(nodes.get(0).allow("user")).isTrue();
      nodes.settle();
      assertThat(nodes.get(1).count("user")).isEqualTo(2);
      assertThat(nodes.get(1).allow("user")).isTrue();
      assertThat(nodes.get(1).allow("user")).isFalse();
      assertThat(nodes.get(1).allow("other")).isTrue();
    }
  }

  @Test
  void lagAndOvershootAreMeasured() {
    Contender contender = Contender.TIDEGATE;
    assertThat(new Measurements(redis, TINY).lag(contender, 1).millis().max())
        .isBetween(0.0, 2_000.0);
    for (Overshoot overshoot : new Measurements(redis, TINY).overshoots(contender, 1)) {
      assertThat(overshoot.unthrottled()).as(overshoot.toString()).isBetween(1.0, 2.0);
      assertThat(overshoot.paced()).as(overshoot.toString()).isBetween(1.0, 2.0);
    }
  }

  @Test
  void tidegateLosesNoCount() {
    Load load = new Measurements(redis, TINY).load(100, Contender.TIDEGATE, 1);
    assertThat(load.counted()).isEqualTo(load.admitted()).isPositive();
    assertThat(load.decisionsPerSecond()).isPositive();
    assertThat(load.messagesPerSecond()).isPositive().isLessThan(load.mostMessagesPerSecond());
  }

  @Test
  void replayPerRequestCountsNoMoreThanIsAdmitted() {
    Load load = new Measurements(redis, TINY).load(100, Contender.PER_REQUEST, 1);
    assertThat(load.counted()).isPositive().isLessThanOrEqualTo(load.admitted());
  }
}
