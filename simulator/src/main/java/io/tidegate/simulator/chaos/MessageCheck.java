package io.tidegate.simulator.chaos;

import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.OriginServer;
import io.tidegate.spi.Component;
import io.tidegate.spi.OwnCount;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks the counts that nodes send, and what a killed node has sent. */
final class MessageCheck {

  private record Key(Object sender, WindowCell cell) {}

  private final RunContext run;

  /** The last count that each writer replayed of a cell, and the sum of these for each node. */
  private final Map<Key, Long> replayed = new HashMap<>();

  MessageCheck(RunContext run) {
    this.run = run;
  }

  /** A node replays an own count. */
  void replays(Node node, OwnCount own) {
    String text = node + " replays " + Referee.text(own.cell()) + " = " + own.count();
    run.trace(text);
    Long last = replayed.put(new Key(own.writer(), own.cell()), own.count());
    long before = last == null ? 0 : last;
    run.check(Guarantee.OWN_COUNTS_GROW, own.count() >= before, text, " after ", before);
    long sum = replayed.merge(new Key(node, own.cell()), own.count() - before, Long::sum);
    run.afterEvent(
        () -> { // a request may send its tokens before the referee has its answer
          long admitted = run.truth.ofNode(own.cell(), node);
          run.check(
              Guarantee.REPLAYS_ARE_OWN, sum <= admitted, text, ", sum ", sum, " of ", admitted);
        });
  }

  /** A node pushes a regional count. */
  void pushes(Node node, Component component) {
    String text = node + " pushes " + Referee.text(component.cell()) + " = " + component.count();
    run.trace(text);
    String region = node.region().name();
    run.truth.sent(component);
    long admitted = run.truth.ofRegion(component.cell(), region);
    boolean regional = component.region().equals(region) && component.count() <= admitted;
    boolean longEnough = run.scenario.isPushed(component.cell().series().scope());
    run.check(Guarantee.PUSHES_ARE_REGIONAL, regional, text, ", admitted: ", admitted);
    run.check(Guarantee.SHORT_WINDOWS_STAY_REGIONAL, longEnough, text);
  }

  /** The database has confirmed a push. */
  void pushed(List<Component> components) {
    components.forEach(component -> run.truth.pushed(component, run.now()));
  }

  /** A node stores a count in its origin: one that it imports, or a pushed one of its region. */
  void stores(Node node, String region, Component component) {
    WindowCell cell = component.cell();
    String from = component.region();
    String text = node + " stores " + from + " " + Referee.text(cell) + " = " + component.count();
    long pushed = run.truth.sentOf(from, cell);
    boolean isPushed = region.equals(node.region().name()) && component.count() <= pushed;
    run.check(Guarantee.STORES_ARE_PUSHED, isPushed, text, ", pushed: ", pushed);
    if (component.count() > known(node, component)) { // most are repetitions
      run.trace(text);
    }
  }

  private static long known(Node node, Component component) {
    OriginServer origin = node.region().origin();
    return component.region().equals(node.region().name())
        ? origin.pushed(component.cell())
        : origin.imports(component.cell()).getOrDefault(component.region(), 0L);
  }

  /** A node is about to be killed, with a reachable origin: only counts in flight may be lost. */
  void crashes(Node node) {
    for (Scenario.Subject subject : run.scenario.subjects()) {
      WindowCell current = WindowCell.at(subject.series(), node.millis());
      for (WindowCell cell : List.of(current, current.previous())) {
        long safe = replayed(node, cell);
        long stored = stored(node, cell);
        String details = " replayed " + safe + " of " + cell + ", stored: ";
        run.check(Guarantee.CRASH_LOSES_LITTLE, stored >= safe, node, details, stored);
      }
    }
  }

  /**
   * Tokens that a node must have replayed. A clock that was set back may count in a cell that has
   * expired in the origin.
   */
  private long replayed(Node node, WindowCell cell) {
    long keptSince = run.now() - TimeBounds.cellLifetime(cell.series().scope());
    long inFlightSince = run.now() - TimeBounds.lossAtCrash(run.scenario);
    return run.truth.since(cell, keptSince, node::equals)
        - run.truth.since(cell, inFlightSince, node::equals);
  }

  /** The count of a node in a cell, as its origin has it. */
  static long stored(Node node, WindowCell cell) {
    return node.region().origin().byWriter(cell).entrySet().stream()
        .filter(part -> part.getKey().startsWith(node.name() + "."))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
