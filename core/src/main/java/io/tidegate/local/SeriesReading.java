package io.tidegate.local;

import io.tidegate.model.CellCounts;
import io.tidegate.model.Series;
import io.tidegate.model.SeriesMemory;
import io.tidegate.model.SeriesMemory.Unsure;
import io.tidegate.model.WindowRules;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What the memory of this node holds of a series, as a decision at the same time would find it: the
 * cells are rotated in the copy, and the series stays as it is.
 *
 * @param startMillis when the cell began that the decision would count in
 * @param memory the counts and their freshness
 */
public record SeriesReading(long startMillis, SeriesMemory memory) {

  /** Reads a series; empty if the store does not have it, or is removing it. */
  public static Optional<SeriesReading> of(SeriesStore store, Series series, long nowMillis) {
    SeriesTable table = store.table(series.scope());
    SeriesCounter counter = table.find(series.identifier());
    if (counter == null || !counter.beginChange()) { // the lock, so that all values are of one time
      return Optional.empty();
    }
    Held held;
    try {
      held = counter instanceof SharedCounter shared ? Held.of(shared) : Held.of(counter);
    } finally {
      counter.endChange();
    }
    Held rotated = held.rotated(nowMillis, series.scope().windowMillis());
    return Optional.of(new SeriesReading(rotated.startMillis, rotated.memory(table, nowMillis)));
  }

  /**
   * The fields of a counter.
   *
   * @param shared whether other nodes or regions count the series as well
   * @param cold whether the origin has not answered about the current cell
   * @param answeredElapsedMillis when the origin was last asked that has answered about one of the
   *     cells, in elapsed time
   */
  private record Held(
      boolean shared,
      long startMillis,
      CellCounts current,
      CellCounts previous,
      long confirmedOwn,
      long lowestLimit,
      long strictUntilMillis,
      boolean cold,
      OptionalLong answeredElapsedMillis) {

    static Held of(SeriesCounter alone) {
      return new Held(
          false,
          alone.startMillis(),
          new CellCounts(alone.own(), 0, 0),
          new CellCounts(alone.previous(), 0, 0),
          0,
          0,
          alone.strictUntilMillis(),
          true,
          OptionalLong.empty());
    }

    static Held of(SharedCounter counter) {
      return new Held(
          true,
          counter.startMillis(),
          counter.currentCounts(),
          counter.previousCounts(),
          counter.confirmedOwn(),
          counter.lowestLimit(),
          counter.strictUntilMillis(),
          counter.isCold(),
          counter.answeredElapsedMillis());
    }

    /** As {@link SeriesCounter#roll} and {@link SeriesCounter#rebase} would leave the counter. */
    Held rotated(long nowMillis, long windowMillis) {
      long presentMillis = SlidingWindow.cellStart(nowMillis, windowMillis);
      if (startMillis - nowMillis > windowMillis) {
        long strictUntil =
            Math.min(strictUntilMillis, WindowRules.strictUntilMillis(nowMillis, windowMillis));
        return inCell(
            presentMillis, carried(current), carried(previous), strictUntil, OptionalLong.empty());
      }
      if (presentMillis <= startMillis) {
        return this;
      }
      return presentMillis - startMillis == windowMillis
          ? inCell(
              presentMillis,
              CellCounts.NONE,
              current,
              strictUntilMillis,
              cold ? OptionalLong.empty() : answeredElapsedMillis)
          : inCell(
              presentMillis,
              CellCounts.NONE,
              CellCounts.NONE,
              strictUntilMillis,
              OptionalLong.empty());
    }

    /** Counts that a rebase moves to another cell: those of a shared series are not sent again. */
    private CellCounts carried(CellCounts counts) {
      return shared ? new CellCounts(0, 0, counts.total()) : counts;
    }

    /** This series in another cell, about which the origin has not answered. */
    private Held inCell(
        long otherStartMillis,
        CellCounts otherCurrent,
        CellCounts otherPrevious,
        long otherStrictUntilMillis,
        OptionalLong otherAnsweredElapsedMillis) {
      return new Held(
          shared,
          otherStartMillis,
          otherCurrent,
          otherPrevious,
          0,
          lowestLimit,
          otherStrictUntilMillis,
          true,
          otherAnsweredElapsedMillis);
    }

    SeriesMemory memory(SeriesTable table, long nowMillis) {
      boolean strict = nowMillis < strictUntilMillis;
      Optional<Duration> age = answeredElapsedMillis.isEmpty()
          ? Optional.empty()
          : Optional.of(Duration.ofMillis(
              Math.max(0, table.elapsedMillis(nowMillis) - answeredElapsedMillis.getAsLong())));
      Set<Unsure> unsure = EnumSet.noneOf(Unsure.class);
      if (table.hasOrigin()) {
        if (cold) {
          unsure.add(Unsure.COLD);
        } else if (age.isEmpty() || age.get().toMillis() >= LocalTimings.FRESH_MILLIS) {
          unsure.add(Unsure.STALE);
        }
        if (strict) {
          unsure.add(Unsure.STRICT);
        }
        if (isShareSpent(table, nowMillis)) {
          unsure.add(Unsure.SHARE_SPENT);
        }
      }
      return new SeriesMemory(
          current,
          previous,
          strict ? OptionalLong.of(strictUntilMillis) : OptionalLong.empty(),
          age,
          unsure);
    }

    /** Whether a request of cost 1 has room in the limit, but not in the share of this node. */
    private boolean isShareSpent(SeriesTable table, long nowMillis) {
      int divisor = table.shareDivisor();
      long unconfirmed = Share.unconfirmed(current.own() + 1, confirmedOwn, divisor);
      long effective = new Cells(
              startMillis, table.windowMillis(), current.total(), previous.total())
          .effective(1, nowMillis);
      return SlidingWindow.admits(effective, lowestLimit)
          && Share.isExceeded(effective, unconfirmed, divisor, lowestLimit);
    }
  }
}
