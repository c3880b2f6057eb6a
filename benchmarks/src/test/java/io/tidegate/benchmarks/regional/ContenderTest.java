package io.tidegate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.RegionalFigures.Burst;
import io.tidegate.benchmarks.RegionalFigures.Load;
import io.tidegate.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A contender that did not limit, or did not share what it counts, would be no contender. */
class RegionalContenderTest {

  private static final RegionalSettings TINY =
      new RegionalSettings(true, 1, List.of(100), 50, 200, 4, 1);

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
  void aNodeKnowsWhatAnotherHasTakenAndDeniesTheRest(RegionalContender contender) {
    Quota three = new Quota(3, Duration.ofDays(30));
    try (RegionalNodes nodes = new RegionalNodes(contender, redis, three)) {
      assertThat(nodes.get(0).allow("user")).isTrue();
      assertThat(nodes.get(0).allow("user")).isTrue();
      nodes.settle();
      assertThat(nodes.get(1).known("user")).isEqualTo(2);
      assertThat(nodes.get(1).allow("user")).isTrue();
      assertThat(nodes.get(1).allow("user")).isFalse();
      assertThat(nodes.get(1).allow("other")).isTrue();
    }
  }

  @Test
  void lagAndOverAdmissionAreTaken() {
    RegionalContender contender = RegionalContender.TIDEGATE;
    assertThat(new RegionalLag(redis, TINY).measure(contender, 1).millis().max())
        .isBetween(0.0, 2_000.0);
    for (Burst burst : new RegionalBurst(redis, TINY).measure(contender, 1)) {
      assertThat(burst.timesLimit()).as(burst.toString()).isBetween(1.0, 2.0);
    }
  }

  @Test
  void tidegateLosesNoCount() {
    Load load = new RegionalLoad(redis, TINY).measure(100, RegionalContender.TIDEGATE, 1);
    assertThat(load.tally().accepted())
        .isGreaterThan(load.traffic().decisions())
        .isPositive();
    assertThat(load.tally().counted()).isEqualTo(load.tally().accepted());
    assertThat(load.traffic().messages()).isPositive();
    assertThat(load.traffic().messagesPerSecond()).isLessThan(load.mostMessagesPerSecond());
  }

  @Test
  void replayPerRequestLosesWhatItDropsAndNoMore() {
    Load load = new RegionalLoad(redis, TINY).measure(100, RegionalContender.PER_REQUEST, 1);
    assertThat(load.tally().lost()).isEqualTo(load.tally().dropped());
  }
}
