package io.tidegate.simulator.chaos;

import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Timeline;
import io.tidegate.spi.Component;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.Writer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks the counts that nodes send, and what a killed node has sent. */
final class MessageCheck {

  private record WriterOfCell(Writer writer, WindowCell cell) {}

  private record NodeOfCell(Node node, WindowCell cell) {}

  private final Scenario scenario;
  private final Timeline timeline;
  private final GroundTruth truth;
  private final Violations violations;
  private final Trace trace;

  /** The last count that each writer replayed of a cell. */
  private final Map<WriterOfCell, Long> replayed = new HashMap<>();

  /** The sum of these over all writers of a node. */
  private final Map<NodeOfCell, Long> replayedByNode = new HashMap<>();

  MessageCheck(
      Scenario scenario, Timeline timeline, GroundTruth truth, Violations violations, Trace trace) {
    this.scenario = scenario;
    this.timeline = timeline;
    this.truth = truth;
    this.violations = violations;
    this.trace = trace;
  }

  /** A node replays an own count. */
  void replays(Node node, OwnCount count) {
    trace.add(node + " replays " + Referee.text(count.cell()) + " = " + count.count());
    WriterOfCell key = new WriterOfCell(count.writer(), count.cell());
    long before = replayed.getOrDefault(key, 0L);
    violations.require(
        count.count() >= before,
        Guarantee.OWN_COUNTS_GROW,
        "%s replays %d of %s after %d",
        count.writer().name(),
        count.count(),
        count.cell(),
        before);
    replayed.put(key, count.count());
    long all =
        replayedByNode.merge(new NodeOfCell(node, count.cell()), count.count() - before, Long::sum);
    violations.require(
        all <= truth.ofNode(count.cell(), node),
        Guarantee.REPLAYS_ARE_OWN,
        "%s replays %d of %s, and admitted %d",
        node,
        all,
        count.cell(),
        truth.ofNode(count.cell(), node));
  }

  /** A node pushes a regional count. */
  void pushes(Node node, Component component) {
    trace.add(node + " pushes " + Referee.text(component.cell()) + " = " + component.count());
    String region = node.region().name();
    long admitted =
        truth.ofNodes(component.cell(), other -> other.region().name().equals(region));
    violations.require(
        component.region().equals(region) && component.count() <= admitted,
        Guarantee.PUSHES_ARE_REGIONAL,
        "%s pushes %s from %s, which admitted %d",
        node,
        component,
        region,
        admitted);
    violations.require(
        scenario.isPushed(component.cell().series().scope()),
        Guarantee.SHORT_WINDOWS_STAY_REGIONAL,
        "%s pushes %s",
        node,
        component);
  }

  /** A node is about to be killed, with a reachable origin: only counts in flight may be lost. */
  void crashes(Node node) {
    long inFlightSince = timeline.nowNanos() - TimeBounds.lossAtCrash(scenario);
    for (Scenario.Subject subject : scenario.subjects()) {
      WindowCell current = WindowCell.at(subject.series(), node.millis());
      for (WindowCell cell : List.of(current, current.previous())) {
        // A clock that was set back may count in a cell that has expired in the origin.
        long keptSince =
            timeline.nowNanos() - TimeBounds.cellLifetime(cell.series().scope());
        long safe = truth.since(cell, keptSince, other -> other == node)
            - truth.since(cell, inFlightSince, other -> other == node);
        long stored = stored(node, cell);
        violations.require(
            stored >= safe,
            Guarantee.CRASH_LOSES_LITTLE,
            "%s had replayed %d of %s, and the origin has %d",
            node,
            safe,
            cell,
            stored);
      }
    }
  }

  /** The count of a node in a cell, as its origin has it. */
  static long stored(Node node, WindowCell cell) {
    return node.region().origin().byWriter(cell).entrySet().stream()
        .filter(part -> part.getKey().startsWith(node.name() + "."))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
