package io.tidegate.server.service;

import static io.tidegate.server.service.RuleServiceFixture.DOMAIN;
import static io.tidegate.server.service.RuleServiceFixture.decision;
import static io.tidegate.server.service.RuleServiceFixture.descriptor;
import static io.tidegate.server.service.RuleServiceFixture.hits;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision.Source;
import io.tidegate.rules.RuleLimit;
import io.tidegate.rules.RuleNode;
import io.tidegate.rules.RuleNode.Option;
import io.tidegate.testing.InMemoryOrigin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that need a read of the origin, which does not answer. */
@Timeout(60)
class RuleServiceWaitTest {

  /** The limiter ends waits at its next tick. */
  private static final Duration TICK = Duration.ofMillis(10);

  private static final Duration WAIT = Duration.ofMillis(5);

  @TempDir
  Path directory;

  private final InMemoryOrigin origin = new InMemoryOrigin();
  private ServiceFixture node;
  private RuleServiceFixture edge;

  @BeforeEach
  void start() throws Exception {
    node = new ServiceFixture(directory);
    edge = new RuleServiceFixture(node, RateLimiter.builder().region("eu").origin(origin));
    edge.rules(
        rule("user"),
        rule("address"),
        rule("shadow").with(Option.SHADOW_MODE),
        rule("quota").with(Option.QUOTA_MODE));
    origin.hold();
  }

  @AfterEach
  void stop() {
    origin.release();
    edge.limiter.close();
    node.close();
  }

  private static RuleNode rule(String key) {
    return RuleNode.of(key).withLimit(RuleLimit.of(10, "minute"));
  }

  private CompletableFuture<RuleResult> ask(DescriptorRequest... descriptors) {
    return edge.service().decide("req_test", DOMAIN, List.of(descriptors), 0, WAIT);
  }

  @Test
  void theAnswerOfTheOriginIsUsed() {
    CompletableFuture<RuleResult> result = ask(descriptor("user", "a"));
    assertThat(result).isNotDone();
    origin.release();
    assertThat(result).isDone();
    assertThat(decision(result.join(), 0).source()).isEqualTo(Source.ORIGIN);
    assertThat(decision(result.join(), 0).degraded()).isFalse();
  }

  @Test
  void theRequestIsDecidedFromMemoryInTime() {
    CompletableFuture<RuleResult> result = ask(descriptor("user", "a"));
    edge.time.advance(WAIT.plus(TICK));
    assertThat(result).isDone();
    assertThat(result.join().allowed()).isTrue();
    assertThat(decision(result.join(), 0).degraded()).isTrue();
    assertThat(edge.observed.take()).containsExactly("edge.user: 1 hits, 1 within, 0 near, 0 over");
  }

  @Test
  void allStepsTogetherWaitNoLonger() {
    CompletableFuture<RuleResult> result = ask(
        hits(3, "user", "a"),
        descriptor("user", "b"),
        descriptor("address", "x"),
        descriptor("shadow", "a"),
        descriptor("quota", "a"));
    assertThat(result).isNotDone();
    edge.time.advance(WAIT.plus(TICK));
    assertThat(result).isDone();
    assertThat(result.join().allowed()).isTrue();
    assertThat(result.join().descriptors())
        .extracting(each -> each.decision().remaining())
        .containsExactly(7L, 9L, 9L, 9L, 9L);
  }

  @Test
  void hitsThatWereUsedAreRecordedWithoutWaiting() {
    CompletableFuture<RuleResult> result = ask(hits(30, "user", "a"));
    edge.time.advance(WAIT.plus(TICK));
    assertThat(result.join().allowed()).isFalse();
    assertThat(decision(result.join(), 0).effectiveCount()).isEqualTo(30);
  }
}
