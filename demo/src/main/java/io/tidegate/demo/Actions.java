package io.tidegate.demo;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Performs actions, and says in the events what happened and what to watch. Actions exclude each
 * other.
 */
final class Actions {

  private final Fleet fleet;
  private final Traffic traffic;
  private final Events events;
  private final AtomicInteger faults = new AtomicInteger();

  Actions(Fleet fleet, Traffic traffic, Events events) {
    this.fleet = fleet;
    this.traffic = traffic;
    this.events = events;
  }

  /** Number of injected faults. */
  int faults() {
    return faults.get();
  }

  /**
   * Performs an action.
   *
   * @param region the region that it concerns; null for actions on the traffic
   * @throws IllegalArgumentException if the region is unknown or missing
   * @throws IllegalStateException if the action is not possible now; the message says why
   */
  synchronized void perform(Action action, @Nullable String region) {
    switch (action) {
      case BURST -> burst();
      case START_ATTACKER -> startAttacker();
      case STOP_ATTACKER -> stopAttacker();
      case RESET_HIGHEST -> {
        long now = System.currentTimeMillis();
        traffic.users().forEach(user -> user.resetMost(now));
        events.action("The highest figures begin anew.", "");
      }
      default -> {
        if (region == null) {
          throw new IllegalArgumentException("a region is required: " + action.label());
        }
        perform(action, fleet.region(region));
      }
    }
    if (action.isFault()) {
      faults.incrementAndGet();
    }
    fleet.watchProcesses();
  }

  private void perform(Action action, Region region) {
    switch (action) {
      case STOP_REDIS -> stopRedis(region);
      case START_REDIS -> startRedis(region);
      case CUT_OFF -> cutOff(region);
      case RECONNECT -> reconnect(region);
      case KILL_READER -> killReader(region);
      default -> throw new IllegalStateException("no action on a region: " + action.label());
    }
  }

  private void stopRedis(Region region) {
    require(region.isRedisRunning(), "Redis of " + region.name() + " is stopped already");
    region.stopRedis();
    events.action(
        "You killed Redis of " + region.name() + ", with all its counts.",
        "Its two nodes decide from memory, each within its share of the limit, and mark answers as"
            + " degraded. No request fails. Other regions do not notice.");
  }

  private void startRedis(Region region) {
    require(!region.isRedisRunning(), "Redis of " + region.name() + " runs already");
    region.startRedis();
    events.action(
        "You started Redis of " + region.name() + " again, empty.",
        "The nodes detect the loss within a moment and send all counts again. Degraded answers stop.");
  }

  private void cutOff(Region region) {
    require(region.isConnected(), region.name() + " is cut off already");
    region.cutOff();
    events.action(
        "You cut " + region.name() + " off from the database.",
        "Its counts do not reach the other regions, nor theirs it: its belief departs from the rest."
            + " It still holds the limit by itself, so the excess is at most what " + region.name()
            + " admits.");
  }

  private void reconnect(Region region) {
    require(!region.isConnected(), region.name() + " is connected already");
    region.reconnect();
    events.action(
        "You connected " + region.name() + " to the database again.",
        "Within about ten seconds all counts are shared and the beliefs agree. Nothing was lost, and"
            + " nothing is counted twice.");
  }

  private void killReader(Region region) {
    Node reader = region.nodes().stream()
        .filter(node -> node.isReady() && node.isReading())
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("no node reads for " + region.name() + " now"));
    require(
        region.nodes().stream().allMatch(Node::isReady),
        "only one node of " + region.name() + " is alive; wait until the other is ready");
    reader.kill();
    events.action(
        "You killed " + reader + ", the reader of " + region.name() + ", with SIGKILL.",
        "Requests go to the other node, which reads the counts of other regions within four seconds. "
            + reader + " starts again in " + Supervisor.RESTART_DELAY.toSeconds() + " s.");
  }

  private void burst() {
    require(!traffic.isBursting(), "a burst is being sent already");
    traffic.burst();
    events.action(
        "You sent a burst: roaming sends ten times as much for three seconds, in all regions.",
        "Nearly all of it is denied, wherever it arrives.");
  }

  private void startAttacker() {
    require(traffic.activeAttacker() == null, "an attacker is active already");
    User attacker = traffic.startAttacker();
    events.action(
        "You started " + attacker.name() + ": 200 requests per second over all regions.",
        "No region has a count of it yet. Its limit is used up in three seconds; what is admitted"
            + " beyond it is what arrives while counts travel.");
  }

  private void stopAttacker() {
    require(traffic.activeAttacker() != null, "no attacker is active");
    traffic.stopAttacker();
    events.action("You stopped the attacker.", "");
  }

  private static void require(boolean possible, String otherwise) {
    if (!possible) {
      throw new IllegalStateException(otherwise);
    }
  }
}
