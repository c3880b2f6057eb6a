package io.tidegate.local;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Removes expired series in rounds over all tables. A round consists of steps of bounded size,
 * because the thread that sweeps has other periodic work. Used by one thread at a time.
 */
final class Sweeper {

  /** Most series and tables that one step examines: that takes one or two milliseconds. */
  static final int STEP = 20_000;

  /** Fewest steps from the start of a round to the start of the next: 5 s, to save walks. */
  static final int STEPS_PER_ROUND = 20;

  private final Collection<SeriesTable> all;
  private Iterator<SeriesTable> tables = Collections.emptyIterator();

  /** The table in which the last step ended, if any. */
  private @Nullable SeriesTable table;

  private Iterator<SeriesCounter> counters = Collections.emptyIterator();

  /** Steps until the next round may start. */
  private int pause;

  Sweeper(Collection<SeriesTable> all) {
    this.all = all;
  }

  /**
   * Continues the round, or starts one if it is due.
   *
   * @return how many series and tables it has examined
   */
  int step(long nowMillis) {
    pause--;
    if (isRoundOver() && pause <= 0) {
      pause = STEPS_PER_ROUND;
      tables = all.iterator();
    }
    int examined = 0;
    while (examined < STEP && !isRoundOver()) {
      examined++;
      if (counters.hasNext() && table != null && table.isAttached()) {
        table.expire(counters.next(), nowMillis);
      } else {
        enterNextTable(nowMillis);
      }
    }
    return examined;
  }

  private boolean isRoundOver() {
    return table == null && !tables.hasNext();
  }

  /** Leaves a table, detaching it if it is empty, without keeping a reference to its memory. */
  private void enterNextTable(long nowMillis) {
    if (table != null) {
      table.detachIfEmpty();
    }
    table = tables.hasNext() ? tables.next() : null;
    counters = table != null && table.beginSweep(nowMillis)
        ? table.counters()
        : Collections.emptyIterator();
  }
}
