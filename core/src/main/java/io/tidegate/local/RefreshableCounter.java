package io.tidegate.local;

import io.tidegate.model.Scope;
import java.util.OptionalLong;

/**
 * The tokens that other nodes and regions have counted for a series, and their freshness: how long
 * the last answer of the origin may be used, what may be admitted before the next read, and whether
 * reads fail.
 *
 * <p>An answer is about a cell. After a rotation the series is cold until the origin answers about
 * the new cell. Written while changing, except for the outcome of reads, which the thread writes
 * that completes the read.
 */
abstract class RefreshableCounter extends SeriesCounter {

  /** Less than any effective count: nothing is admitted. */
  private static final long NOTHING = -1;

  private final SeriesTable table;

  /**
   * Tokens admitted elsewhere in the current cell: by other nodes and other regions, as far as this
   * node has received them. Written while changing.
   */
  private volatile long others;

  /** Whether the origin has not answered about the current cell. */
  private volatile boolean cold = true;

  /**
   * Until when the last answer of the origin is used, in elapsed time, so that setting the clock
   * does not prolong it. While the series is cold, this is of the answer about the previous cell.
   */
  private volatile long freshUntilMillis = Long.MIN_VALUE;

  /**
   * When both cells were last read, in elapsed time. Its low bits: an age of some days is enough.
   */
  private volatile int bothReadMillis;

  /** When a read last failed, or was last tried after that. Written before the flag. */
  private volatile long readFailedNanos;

  private volatile boolean lastReadFailed;

  RefreshableCounter(SeriesTable table, String identifier, long startMillis) {
    super(identifier, startMillis);
    this.table = table;
  }

  final SeriesTable table() {
    return table;
  }

  public final Scope scope() {
    return table.scope();
  }

  final long previousStartMillis() {
    return startMillis() - table.windowMillis();
  }

  @Override
  final long others() {
    return others;
  }

  /** To be called between {@link #beginChange} and {@link #endChange}. */
  final void setOthers(long count) {
    assert count >= others : "count of others shrinks from " + others + " to " + count;
    others = count;
  }

  /** The current cell ends. */
  final void resetOthers() {
    others = 0;
  }

  @Override
  final boolean isSure(long nowMillis) {
    return !table.hasOrigin() || (isFresh(nowMillis) && !isStrict(nowMillis));
  }

  /**
   * Lets an unsure series admit some tokens while the read is under way. The windows of many series
   * end at the same instant, so a series that was fresh until then goes on up to half its limit.
   * One that has not been used for a while goes on up to a hundredth. A node cannot admit more than
   * that of what the other nodes have used.
   */
  @Override
  final long mostWithoutRead(long limit, long nowMillis) {
    if (isSure(nowMillis)) {
      return limit;
    }
    if (isStrict(nowMillis)) {
      return NOTHING;
    }
    if (cold) {
      return table.elapsedMillis(nowMillis) < freshUntilMillis ? limit / 2 : NOTHING;
    }
    return limit / 100;
  }

  @Override
  final long mostToPeek(long limit, long nowMillis) {
    long elapsedMillis = table.elapsedMillis(nowMillis);
    long freshestUntil = elapsedMillis + LocalTimings.FRESH_MILLIS - LocalTimings.PEEK_FRESH_MILLIS;
    boolean fresh = !cold && freshUntilMillis >= freshestUntil;
    return !table.hasOrigin() || fresh ? limit : NOTHING;
  }

  /** Whether the series is unsure because of a denial, and not because an answer is missing. */
  public final boolean isStrict(long nowMillis) {
    return nowMillis < strictUntilMillis();
  }

  /** Whether the last answer of the origin may still be used. */
  public final boolean isFresh(long nowMillis) {
    return !cold && table.elapsedMillis(nowMillis) < freshUntilMillis;
  }

  /** Whether the origin has not answered about the current cell. */
  public final boolean isCold() {
    return cold;
  }

  /**
   * When the call was made, in elapsed time, to which the origin last answered about one of the
   * cells; empty if it has not.
   */
  final OptionalLong answeredElapsedMillis() {
    long until = freshUntilMillis;
    return until == Long.MIN_VALUE
        ? OptionalLong.empty()
        : OptionalLong.of(until - LocalTimings.FRESH_MILLIS);
  }

  /** The origin has answered about one cell alone: a fresh series stays fresh, a cold one cold. */
  final void keepFresh(long cellStartMillis, long askedElapsedMillis) {
    if (!cold && cellStartMillis == startMillis()) {
      freshUntilMillis = Math.max(freshUntilMillis, freshUntil(askedElapsedMillis));
    }
  }

  /** The origin has answered about both cells, of which the current one began at this time. */
  final void becomeFresh(long cellStartMillis, long askedMillis, long askedElapsedMillis) {
    long until = freshUntil(askedElapsedMillis);
    if (cellStartMillis == startMillis()) {
      bothReadMillis = (int) askedElapsedMillis;
      freshUntilMillis = cold ? until : Math.max(freshUntilMillis, until);
      cold = false;
    } else if (cold && cellStartMillis == previousStartMillis()) {
      freshUntilMillis = Math.max(freshUntilMillis, until);
    }
  }

  private static long freshUntil(long askedElapsedMillis) {
    return askedElapsedMillis + LocalTimings.FRESH_MILLIS;
  }

  /** The current cell becomes the previous one, and its answer that of the previous cell. */
  final void rotateFreshness() {
    if (cold) {
      freshUntilMillis = Long.MIN_VALUE;
    }
    cold = true;
  }

  /** Neither of the next cells has an answer. */
  final void resetFreshness() {
    cold = true;
    freshUntilMillis = Long.MIN_VALUE;
  }

  /**
   * Whether both cells are due for another read in the current cell; true once for each time.
   * Replays keep a series fresh, and their answers are about the current cell. The last counts of
   * the previous one arrive after its end: from other nodes within a second or so, from other
   * regions at any time. And if the current cell has not begun, others still count in the previous
   * one.
   */
  public final boolean takeReadOfBothCells(long nowMillis) {
    boolean begun = nowMillis >= startMillis(); // not after the clock was set back
    long sinceDue = begun ? nowMillis - secondReadDueMillis() : LocalTimings.FRESH_MILLIS;
    long dueAge = table.isPublished() || !begun
        ? Math.min(LocalTimings.FRESH_MILLIS, sinceDue + 1)
        : sinceDue + 1; // not read since the first time was due
    int elapsedMillis = (int) table.elapsedMillis(nowMillis);
    boolean due = !cold && sinceDue >= 0 && elapsedMillis - bothReadMillis >= dueAge;
    if (due) {
      bothReadMillis = elapsedMillis;
    }
    return due;
  }

  private long secondReadDueMillis() {
    long quarter = table.windowMillis() / 4;
    long spread = Math.floorMod(
        identifier().hashCode() * 0x9E3779B97F4A7C15L,
        Math.min(LocalTimings.SECOND_READ_SPREAD_MILLIS, quarter));
    return startMillis() + Math.min(LocalTimings.LAST_COUNTS_MILLIS, quarter) + spread;
  }

  /** Whether a read of this series failed, or was tried in vain, less than this long ago. */
  public final boolean readFailedWithin(long nanos, long elapsedNanos) {
    return lastReadFailed && elapsedNanos - readFailedNanos < nanos;
  }

  public final void readSucceeded() {
    lastReadFailed = false;
  }

  public final void readFailed(long elapsedNanos) {
    readFailedNanos = elapsedNanos;
    lastReadFailed = true;
  }
}
