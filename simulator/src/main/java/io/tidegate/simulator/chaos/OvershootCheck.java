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
    long globalTrouble = run.excuses.globalTroubleSince(node, now);
    boolean countsLost = run.scenario.losesEvictedCounts(now);
    boolean cellLost = run.excuses.isLost(node, cell, now);
    if (node.startedNanos() >= regionalTrouble || countsLost || cellLost) {
      regionalTrouble = ALWAYS; // a node that has just started may have received nothing
    }
    if (node.startedNanos() >= globalTrouble
        || model.evictedNanos(cell.series()) >= globalTrouble
        || countsLost
        || run.excuses.areImportsLost(node, cell, now)) {
      globalTrouble = ALWAYS;
    }
    if (answer.decision().degraded()) { // rests on what the node received last
      long received = model.receivedNanos(cell);
      regionalTrouble = Math.min(regionalTrouble, received);
      if (!run.excuses.pullsDirectly(node, now)) {
        globalTrouble = Math.min(globalTrouble, received);
      }
    }
    // Replays keep a series fresh by answers about its current cell. Both cells are read every five
    // seconds: the last answer about the previous cell may be as much older than the last answer.
    long older = cell.equals(answer.cell()) ? 0 : TimeBounds.FRESH;
    long since = regionalTrouble - TimeBounds.regionalLag(run.scenario) - older;
    return own(cell, node, since)
        + run.truth.since(cell, since, other -> other != node && other.isIn(node.region()))
        + imported(cell, node, globalTrouble - older)
        + lostWithKilledNodes(cell, node)
        + givenUp(cell)
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

  /** Tokens of other regions. The reader skips cells that have expired by its own clock. */
  private long imported(WindowCell cell, Node node, long globalTrouble) {
    boolean expired = run.scenario.clocksDiffer(run.now())
        && cell.expiresAtMillis() <= run.excuses.latestMillis(node);
    long since = expired ? ALWAYS : globalTrouble - TimeBounds.globalLag(run.scenario);
    return run.scenario.isCrowded()
        ? unreceived(cell, node, since)
        : run.truth.since(cell, since, other -> !other.isDead() && !other.isIn(node.region()));
  }

  /** Nodes that evict series push them late, or less than their region has counted. */
  private long unreceived(WindowCell cell, Node node, long since) {
    long sum = 0;
    for (int i = 0; i < run.scenario.nodes().size(); i++) {
      String region = Scenario.regionName(i);
      if (!region.equals(node.region().name())) {
        sum += run.truth.ofRegion(cell, region) - run.truth.pushedBefore(region, cell, since);
      }
    }
    return sum;
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

  /** Tokens that living nodes have given up, so that no other node receives them. */
  private long givenUp(WindowCell cell) {
    return run.truth.sum(
        cell,
        (node, admitted) -> node.isDead()
            ? 0
            : Math.min(
                admitted - MessageCheck.stored(node, cell),
                run.excuses.givenUpTokens(node, run.now())));
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
