package io.tidegate.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.chaos.ObservedRequest.Answer;
import io.tidegate.simulator.chaos.ObservedRequest.Entry;
import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedRegion;
import io.tidegate.simulator.world.World;
import io.tidegate.spi.GlobalCounters;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The clock of a node is far ahead for a moment, while the node is cut off from its origin. */
@ExtendWith(Quiet.class)
class OvershootCheckTest {

  private static final long LIMIT = 100;
  private static final long FAR_AHEAD_MILLIS = 4 * Scenarios.SERIES.scope().windowMillis();

  private final RunContext run = new RunContext(
      Scenarios.with(1, Scenarios.fault(FaultKind.CLOCK_GLITCH_AHEAD, 0, 10, 11)), null);
  private final SimulatedRegion region = run.world.region(
      Scenario.regionName(0), NetworkLink.Quality.of(0, 0), NetworkLink.Quality.of(0, 0));
  private final Node glitched = start(0);
  private final Node other = start(1);
  private final NodeModel model = new NodeModel(other);
  private final OvershootCheck check = new OvershootCheck(run);

  private Node start(int number) {
    Node node = run.world.start(region, "node_" + number, any -> new OriginOnly());
    run.excuses.nodeStarted(node, 0, number);
    return node;
  }

  /** A node that does not push: its region would receive the counts from the database. */
  private static final class OriginOnly implements World.NodeCustomizer {

    @Override
    public @Nullable GlobalCounters counters(GlobalCounters counters) {
      return null;
    }
  }

  private void runUntilSecond(long second) {
    run.world.timeline().runUntil(second * Scenario.SECOND);
  }

  @BeforeEach
  void giveUpTenTokens() {
    runUntilSecond(9);
    glitched.toOrigin(0).cut();
    admit(glitched, 10);
    runUntilSecond(10);
    glitched.stepClock(FAR_AHEAD_MILLIS);
    runUntilSecond(11);
    glitched.stepClock(-FAR_AHEAD_MILLIS);
    glitched.healLinks();
    runUntilSecond(300); // when the fault is excused no longer
    assertThat(glitched.limiter().stats().lostTokens()).isEqualTo(10);
  }

  private Decision admit(Node node, long cost) {
    LimitRequest request =
        new LimitRequest(Scenarios.SERIES.scope(), Scenarios.SERIES.identifier(), LIMIT, cost);
    CompletableFuture<Decision> decision =
        node.limiter().tryAcquireAsync(request, node.millis()).toCompletableFuture();
    run.truth.admit(cell(node), node, cost, run.now());
    run.world.timeline().runUntil(run.now() + Scenario.SECOND);
    return decision.join();
  }

  private static WindowCell cell(Node node) {
    return WindowCell.at(Scenarios.SERIES, node.millis());
  }

  /** Admits five tokens on the other node, well after its first decision, and checks that. */
  private void checkOther() {
    model.entered(cell(other));
    runUntilSecond(310);
    Decision decision = admit(other, 5);
    LimitRequest request =
        new LimitRequest(Scenarios.SERIES.scope(), Scenarios.SERIES.identifier(), LIMIT, 5);
    Entry entry = new Entry(request, 5, 0, false, false);
    ObservedRequest observed =
        new ObservedRequest(other, List.of(entry), other.millis(), run.now());
    long trueCount = run.truth.effective(cell(other), other.millis());
    check.check(new Answer(observed, entry, decision, cell(other), true, 0), trueCount, model);
  }

  @Test
  void tokensThatANodeHasGivenUpAreUnknownToOthers() {
    checkOther();
    assertThat(run.violation()).isNull();
  }

  @Test
  void noMoreThanTheReportedTokensMayBeUnknown() {
    run.truth.admit(cell(glitched), glitched, 6, run.now()); // and never sent to the origin
    checkOther();
    assertThat(run.violation()).contains("without 16 tokens, in flight: 15"); // 5 are its own
  }
}
