package io.tidegate.simulator.chaos;

/**
 * The guarantees that the simulator checks, by the names under which docs/guarantees.md lists them.
 */
enum Guarantee {
  COUNTS_NEVER_EXCEED_TRUTH("no count exceeds the admitted tokens"),
  COUNTS_ARE_KEPT("no admitted or received count is lost from memory"),
  DECISION_IS_CONSISTENT("a decision agrees with its count and its limit"),
  NO_WRONG_DENIAL("no request is denied that a perfect counter would allow"),
  BATCH_IS_ATOMIC("a batch is allowed or denied as a whole"),
  STRICT_MODE_READS("strict mode reads the origin before each admission"),
  SHARE_IS_KEPT("a node admits only its share before the origin has confirmed it"),
  OVERSHOOT_IS_BOUNDED("overshoot is bounded by the counts in flight"),
  ANSWER_IN_TIME("every request is answered within the read timeout"),
  NO_SECOND_WAIT("no request waits for a series whose read failed within the last second"),
  DEGRADED_ONLY_IF_ORIGIN_FAILS("no decision is degraded while its part of the origin works"),
  CLOCK_AHEAD_LOCKS_NOTHING("a clock that was ahead does not lock a series"),
  CELL_OF_REQUEST_TIME("a decision belongs to the cell of its time"),
  OWN_COUNTS_GROW("own counts never shrink"),
  REPLAYS_ARE_OWN("a node replays only tokens that it admitted"),
  PUSHES_ARE_REGIONAL("a region pushes only tokens that it admitted"),
  STORES_ARE_PUSHED("an origin stores only counts that their regions have pushed"),
  SHORT_WINDOWS_STAY_REGIONAL("windows shorter than ten push intervals are not pushed"),
  NO_FALSE_LOSS("a loss of counts is reported only after a loss"),
  CRASH_LOSES_LITTLE("a killed node loses at most the counts of its last replays"),
  SERIES_ARE_BOUNDED("the number of series in memory is bounded"),
  ORIGIN_CONVERGES("the origin converges to the counts of its nodes"),
  DATABASE_CONVERGES("the global counters converge to the counts that the policy pushes"),
  NODES_ARE_COUNTED("every node knows how many nodes of its region are alive"),
  IMPORTS_IN_TIME("an origin has the counts of other regions soon after they are pushed"),
  IMPORTS_CONVERGE("every origin converges to the counts that other regions have pushed"),
  ONE_READER("every region has one reader, which all of its nodes know"),
  ONLY_REQUESTED_SERIES("a node holds only series that it was asked for while its origin works"),
  NODES_CONVERGE("every node converges to its origin and the global counters"),
  NOTHING_THROWS("no request and no background task throws"),
  REFEREE_IS_SOUND("the referee handles every answer");

  private final String label;

  Guarantee(String label) {
    this.label = label;
  }

  @Override
  public String toString() {
    return label;
  }
}
