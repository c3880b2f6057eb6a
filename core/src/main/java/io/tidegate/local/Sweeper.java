package io.tidegate.local;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ends expired series in rounds over all tables. A round proceeds in steps of bounded size, because
 * the thread that sweeps has other periodic work. Used by one thread at a time.
 */
final class Sweeper {

  /** Most series and tables that one step looks at: one or two milliseconds. */
  static final int STEP = 20_000;

  /** Steps from the beginning of one round to the beginning of the next, at least. */
  static final int STEPS_PER_ROUND = 20;

  private final Collection<SeriesTable> all;
  private Iterator<SeriesTable> tables = Collections.emptyIterator();

  /** The table that the last step left off in, if any. */
  private @Nullable SeriesTable table;

  private Iterator<Map.Entry<String, SeriesCounter>> entries = Collections.emptyIterator();

  /** Steps until a round may begin. */
  private int pause;

  Sweeper(Collection<SeriesTable> all) {
    this.all = all;
  }

  /**
   * Continues the round, or begins one if it is time.
   *
   * @return how many series and tables it has looked at
   */
  int step(long nowMillis) {
    pause--;
    if (isRoundOver() && pause <= 0) {
      pause = STEPS_PER_ROUND;
      tables = all.iterator();
    }
    int looked = 0;
    while (looked < STEP && !isRoundOver()) {
      looked++;
      if (entries.hasNext() && table.isAttached()) {
        table.expire(entries.next(), nowMillis);
      } else {
        enterNextTable(nowMillis);
      }
    }
    return looked;
  }

  private boolean isRoundOver() {
    return table == null && !tables.hasNext();
  }

  /** Leaves a table, which goes if nothing is left of it, and holds on to no memory of it. */
  private void enterNextTable(long nowMillis) {
    if (table != null) {
      table.letGoIfEmpty();
    }
    table = tables.hasNext() ? tables.next() : null;
    entries = table != null && table.beginSweep(nowMillis)
        ? table.entries().iterator()
        : Collections.emptyIterator();
  }
}
