package io.tidegate.simulator.chaos;

import io.tidegate.model.WindowCell;
import io.tidegate.simulator.chaos.ObservedRequest.Answer;
import io.tidegate.simulator.world.Node;

/** Checks that a node admits beyond a limit only because of counts that it cannot have yet. */
record OvershootCheck(RunContext run) {

  private static final long ALWAYS = Long.MIN_VALUE / 2;

  /** Checks an admission by the true effective count, which includes the request. */
  void check(Answer answer, long trueCount, NodeModel model) {
    long missing = trueCount - answer.decision().effectiveCount();
    WindowCell cell = answer.cell();
    if (missing <= 0 || isExempt(answer, model.enteredNanos(cell))) {
      return;
    }
    long inFlight = inFlight(answer, cell, model) + inFlight(answer, cell.previous(), model);
    String details = " without " + missing + " tokens, in flight: " + inFlight;
    run.check(Guarantee.OVERSHOOT_IS_BOUNDED, missing <= inFlight, answer, details);
  }

  private boolean isExempt(Answer answer, long enteredNanos) {
    long count = answer.decision().effectiveCount();
    long limit = answer.decision().limit();
    boolean readsNothingYet = count <= limit / 100;
    boolean evictedDuringRead = run.scenario.isCrowded() && answer.decision().degraded();
    // A series in use goes on up to half its limit in a new window before the origin has answered.
    // Where clocks differ, other nodes may have counted in that window long before.
    boolean justRotated = run.scenario.clocksDiffer(run.now())
        && count <= limit / 2
        && run.now() - enteredNanos <= TimeBounds.FRESH;
    // By a clock that was set back: the cell has expired in the origin.
    long nowMillis = Node.EPOCH_MILLIS + run.now() / Scenario.MILLI;
    boolean expired = answer.cell().expiresAtMillis() <= nowMillis;
    return readsNothingYet || evictedDuringRead || justRotated || expired;
  }

  /** Most tokens of a cell that the node may not have received yet. */
  private long inFlight(Answer answer, WindowCell cell, NodeModel model) {
    Node node = answer.node();
    long now = run.now();
    long regionalTrouble = run.excuses.regionalTroubleSince(node, cell.series(), now);
    long globalTrouble = Math.min(regionalTrouble, run.excuses.globalTroubleSince(now));
    boolean countsLost = run.scenario.losesEvictedCounts(now);
    boolean cellLost = run.excuses.isLost(node, cell, now);
    if (node.startedNanos() >= regionalTrouble || countsLost || cellLost) {
      regionalTrouble = ALWAYS; // a node that has just started may have received nothing
    }
    if (node.startedNanos() >= globalTrouble || countsLost) {
      globalTrouble = ALWAYS;
    }
    if (answer.decision().degraded()) { // rests on what the node received last
      regionalTrouble = Math.min(regionalTrouble, model.receivedNanos(cell));
    }
    long since = regionalTrouble - TimeBounds.regionalLag(run.scenario);
    return own(cell, node, since)
        + run.truth.since(cell, since, other -> other != node && other.isIn(node.region()))
        + imported(cell, node, globalTrouble, model)
        + lostWithKilledNodes(cell, node)
        + expired(cell)
        + unpushed(cell, node);
  }

  /**
   * Own tokens of the same event may have been admitted after the decision. Those of an earlier
   * incarnation of the series return with the peers' count.
   */
  private long own(WindowCell cell, Node node, long regionalSince) {
    boolean mayHaveEvicted = run.scenario.isCrowded() || run.scenario.clocksDiffer(run.now());
    return run.truth.since(cell, mayHaveEvicted ? regionalSince : run.now(), node::equals);
  }

  private long imported(WindowCell cell, Node node, long globalTrouble, NodeModel model) {
    long since = globalTrouble - TimeBounds.globalLag(run.scenario);
    // Counts from before the cell began by this node's clock are applied when it begins.
    long begunNanos = run.now() - (node.millis() - cell.startMillis()) * Scenario.MILLI;
    long returnNanos = TimeBounds.returnAfterEviction(run.scenario);
    boolean nothingReceived = run.scenario.isCrowded() // since the last eviction
        || Math.min(model.enteredNanos(cell), begunNanos) > since
        || model.evictedNanos(cell.series()) > globalTrouble - returnNanos;
    return run.truth.since(
        cell,
        nothingReceived ? ALWAYS : since,
        other -> !other.isDead() && !other.isIn(node.region()));
  }

  /**
   * Tokens that a clock counted so far ahead that the origin may have expired the cell before it
   * began.
   */
  private long expired(WindowCell cell) {
    long keptSince = run.now() - TimeBounds.cellLifetime(cell.series().scope());
    return run.truth.since(cell, ALWAYS, node -> true)
        - run.truth.since(cell, keptSince, node -> true);
  }

  /** Of a killed node, its region may miss the last counts and other regions may miss all. */
  private long lostWithKilledNodes(WindowCell cell, Node node) {
    return run.truth.sum(cell, (other, admitted) -> {
      boolean replayed = other.isDead() && other.isIn(node.region());
      return other.isDead() ? admitted - (replayed ? MessageCheck.stored(other, cell) : 0) : 0;
    });
  }

  /** Tokens that the policy lets other regions leave unpushed. */
  private long unpushed(WindowCell cell, Node node) {
    long sum = 0;
    for (int i = 0; i < run.scenario.nodes().size(); i++) {
      String region = Scenario.regionName(i);
      if (!region.equals(node.region().name())) {
        sum += run.scenario.maxUnpushed(cell.series(), run.truth.ofRegion(cell, region));
      }
    }
    return sum;
  }
}
