package io.tidegate.local;

import java.util.List;

/** A series, or a cell that has left one, with regional counts that may have to be pushed. */
public sealed interface Unpushed extends Queueable permits QueuedCounter, UnpushedCell {

  /**
   * The cells whose regional count the global counters do not hold completely, oldest first. Cells
   * that no longer weigh on decisions are left out.
   */
  List<RegionalCell> unpushed(long nowMillis);

  /**
   * The global counters hold at least this much of the regional count of a cell.
   *
   * @param nowSeconds when they confirmed it
   */
  void confirmPushed(long cellStartMillis, long count, int nowSeconds);

  /** The global counters cannot store this regional count of a cell. */
  void rejectPushed(long cellStartMillis, long count);

  /** Begins the membership in the push queue; false if it is a member already. */
  boolean queueForPush();

  /** Ends the membership in the push queue. Read the counts afterwards, not before. */
  void unqueueForPush();
}
