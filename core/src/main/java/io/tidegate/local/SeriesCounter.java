package io.tidegate.local;

import io.tidegate.model.WindowRules;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one series: its current and its previous cell, and its strict-mode deadline. Counts
 * change in this class and in {@link SharedCounter} only.
 *
 * <p>The state is in one {@link Word}; the package page explains why readers see counts of the same
 * two cells. All other fields are written while the state is {@code CHANGING}.
 */
@SuppressWarnings("UnusedVariable") // the fields are accessed through VarHandles
class SeriesCounter {

  // Results of roll, takePlainly and take. All are negative; an effective count is not.

  /** The limit has no room for the cost. */
  static final long DENIED = -1;

  /** The limit has room by the counts of this node, but the origin must be read first. */
  static final long UNSURE = -2;

  /** The series has rotated or was removed meanwhile: the caller starts again. */
  static final long MOVED = Long.MIN_VALUE;

  /** Some microseconds, as a batch takes: after them, the holder has probably lost its core. */
  private static final int SPINS_BEFORE_YIELD = 100;

  private static final VarHandle WORD = field("word");
  private static final VarHandle START = field("startMillis");
  private static final VarHandle PREVIOUS = field("previous");
  private static final VarHandle STRICT_UNTIL = field("strictUntilMillis");

  private final String identifier;

  /** The next counter of the chain in the {@link CounterTable}, which alone uses it. */
  private volatile @Nullable SeriesCounter next;

  private long word;

  /** When the current cell began. Written while changing. */
  private long startMillis;

  /** Count of the previous cell. Its own part is final, that of others may still grow. */
  private long previous;

  /**
   * End of strict mode, until which every decision needs fresh counts. Raised by denials. Belongs
   * to no cell, so it survives a rotation.
   */
  private long strictUntilMillis = Long.MIN_VALUE;

  SeriesCounter(String identifier, long startMillis) {
    this.identifier = identifier;
    this.startMillis = startMillis;
  }

  public final String identifier() {
    return identifier;
  }

  final @Nullable SeriesCounter next() {
    return next;
  }

  final void setNext(@Nullable SeriesCounter counter) {
    next = counter;
  }

  /**
   * Rotates to the cell of this time. A time before the current cell changes nothing.
   *
   * @return the start of the current cell, or {@link #MOVED} if the series was removed
   */
  long roll(long nowMillis, long windowMillis) {
    for (int spins = 0; ; spins++) {
      long seen = (long) WORD.getAcquire(this);
      if (seen >= 0) {
        long start = (long) START.getAcquire(this);
        if (nowMillis - start < windowMillis) {
          return start;
        }
        long next = SlidingWindow.cellStart(nowMillis, windowMillis);
        if (Word.isOpen(seen) && WORD.compareAndSet(this, seen, seen | Word.CHANGING)) {
          boolean adjacent = next - start == windowMillis;
          long ended = adjacent ? Word.own(seen) + others() : 0;
          try {
            rotating(start, Word.own(seen), adjacent);
          } catch (RuntimeException | Error e) { // out of memory, for one: the next caller rotates
            WORD.setRelease(this, seen);
            throw e;
          }
          PREVIOUS.setRelease(this, ended);
          START.setRelease(this, next);
          WORD.setRelease(this, Word.rotated(seen));
          return next;
        }
      } else if (Word.isRemoved(seen)) {
        return MOVED;
      }
      pause(spins);
    }
  }

  /**
   * Decides the simple cases without a division: admits if less than half of this node's share is
   * spent even with the previous cell weighing in full, and denies if there is no room even with it
   * weighing nothing.
   *
   * @return as {@link #take}, but 0 instead of the effective count; {@link #MOVED} if the case is
   *     not simple
   */
  long takePlainly(long nowMillis, long windowMillis, long limit, long cost) {
    long seen = (long) WORD.getAcquire(this);
    if (seen < 0
        || Long.compareUnsigned(nowMillis - (long) START.getAcquire(this), windowMillis) >= 0) {
      return MOVED; // also for a time before the cell, which may need a rebase
    }
    boolean sure = isSure(nowMillis); // read before the counts of others, as the next two
    int divisor = shareDivisor();
    long unconfirmed = Share.unconfirmed(Word.own(seen) + cost, confirmedOwn(), divisor);
    long withoutPrevious = Word.own(seen) + others() + cost;
    if (withoutPrevious > limit) {
      return Word.isSameCell(seen, (long) WORD.getAcquire(this)) ? DENIED : MOVED;
    }
    long effective = withoutPrevious + previous(); // at most
    if (sure
        && cost > 0
        && effective <= limit
        && !Share.isHalfSpent(effective, unconfirmed, divisor, limit)
        && Word.isOpen(seen)
        && WORD.compareAndSet(this, seen, seen + cost)) {
      grown(limit);
      return 0;
    }
    return MOVED;
  }

  /**
   * Adds the cost to the current cell if the limit has room for it; cost 0 is a peek. Waits while a
   * batch holds the series, unless the result is a denial anyway.
   *
   * @param start the cell to decide on, as returned by {@link #roll}
   * @param basis whether fresh counts are required
   * @return the effective count if admitted, else {@link #DENIED}, {@link #UNSURE} or
   *     {@link #MOVED}
   */
  long take(long start, long nowMillis, long windowMillis, long limit, long cost, Basis basis) {
    long seen = (long) WORD.getAcquire(this);
    if (seen < 0 || (long) START.getAcquire(this) != start) {
      return MOVED;
    }
    long overlap = SlidingWindow.overlap(nowMillis, start, windowMillis);
    for (int spins = 0; ; spins++) {
      long most = most(limit, cost, nowMillis, basis); // read before the counts of others
      int divisor = shareDivisor();
      long unconfirmed = Share.unconfirmed(Word.own(seen) + cost, confirmedOwn(), divisor);
      long current = Word.own(seen) + others();
      long weighted = SlidingWindow.weighted(previous(), overlap, windowMillis);
      long effective = SlidingWindow.effective(current, weighted, cost);
      boolean admitted = SlidingWindow.admits(effective, limit);
      if (admitted
          && (effective > most
              || (basis.requiresShare(unconfirmed, cost)
                  && Share.isExceeded(effective, unconfirmed, divisor, limit)))) {
        return UNSURE;
      }
      if (admitted
          && cost > 0
          && Word.isOpen(seen)
          && WORD.compareAndSet(this, seen, seen + cost)) {
        grown(limit);
        if (Share.isHalfSpent(effective, unconfirmed, divisor, limit)) {
          halfSpent(nowMillis);
        }
        return effective;
      }
      long again = (long) WORD.getAcquire(this);
      if (!Word.isSameCell(seen, again)) {
        return MOVED;
      }
      if (!admitted) {
        return DENIED; // whatever a batch adds does not change that
      }
      if (cost == 0 && Word.isOpen(seen)) {
        return effective;
      }
      if (!Word.isOpen(again)) {
        pause(spins);
      }
      seen = again;
    }
  }

  /**
   * Both cells at one instant, rotated to this time; null if the series was removed. Does not wait
   * for a batch that holds the series: what the batch may add cannot turn a denial around.
   */
  @Nullable
  Cells cells(long nowMillis, long windowMillis) {
    CellsCopy copy = new CellsCopy();
    return copyTo(copy, nowMillis, windowMillis) ? copy.cells(windowMillis) : null;
  }

  /** As {@link #cells}, into a copy; false if the series was removed. */
  boolean copyTo(CellsCopy copy, long nowMillis, long windowMillis) {
    while (true) {
      long start = roll(nowMillis, windowMillis);
      if (start == MOVED) {
        return false;
      }
      long seen = (long) WORD.getAcquire(this);
      copy.set(startMillis(), Word.own(seen) + others(), previous());
      if (copy.startMillis() == start && Word.isSameCell(seen, (long) WORD.getAcquire(this))) {
        return true;
      }
    }
  }

  /**
   * Keeps other threads from changing the counts until {@link #release}. All callers that hold
   * several series acquire them in the same order.
   *
   * @param copy receives both cells, rotated to this time
   * @return false if the series was removed
   */
  boolean hold(CellsCopy copy, long nowMillis, long windowMillis) {
    for (int spins = 0; ; spins++) {
      long start = roll(nowMillis, windowMillis);
      if (start == MOVED) {
        return false;
      }
      long seen = (long) WORD.getAcquire(this);
      copy.set(startMillis(), Word.own(seen) + others(), previous());
      if (Word.isOpen(seen)
          && copy.startMillis() == start
          && WORD.compareAndSet(this, seen, seen | Word.HELD)) {
        return true;
      }
      pause(spins);
    }
  }

  /**
   * Ends a {@link #hold} and adds a cost. If there is one, {@link #grown} must follow when all
   * series of the batch were released.
   */
  void release(long cost) {
    WORD.setRelease(this, Word.plus((long) WORD.getOpaque(this) & ~Word.HELD, cost));
  }

  /** Whether the counts are fresh enough for a decision at this time; always so on a lone node. */
  boolean isSure(long nowMillis) {
    return true;
  }

  /** Greatest effective count that is admitted at this time without a read of the origin. */
  long mostWithoutRead(long limit, long nowMillis) {
    return limit;
  }

  /** Greatest effective count that a peek returns at this time without a read of the origin. */
  long mostToPeek(long limit, long nowMillis) {
    return limit;
  }

  /** The divisor of {@link Share}; {@link Share#ALONE} on a node that need not ask. */
  int shareDivisor() {
    return Share.ALONE;
  }

  /** The part of the own count of the current cell that the origin has confirmed. */
  long confirmedOwn() {
    return 0;
  }

  /** Called after half of this node's share was spent. */
  void halfSpent(long nowMillis) {}

  private long most(long limit, long cost, long nowMillis, Basis basis) {
    if (basis != Basis.FRESH_COUNTS) {
      return limit;
    }
    return cost == 0 ? mostToPeek(limit, nowMillis) : mostWithoutRead(limit, nowMillis);
  }

  /**
   * Whether the current cell begins more than a window after this time, as a clock that was wrong
   * for a moment leaves it. A time that is less early counts as the start of the cell.
   */
  boolean isAhead(long nowMillis, long windowMillis) {
    return (long) START.getAcquire(this) - nowMillis > windowMillis;
  }

  /**
   * Moves the cells back to this time if they are more than a window ahead of it. Their counts are
   * kept: setting a clock back frees no tokens.
   *
   * @return whether the cells were moved; false while a batch or a change is under way
   */
  boolean rebase(long nowMillis, long windowMillis) {
    long seen = (long) WORD.getAcquire(this);
    if (!Word.isOpen(seen)
        || !isAhead(nowMillis, windowMillis)
        || !WORD.compareAndSet(this, seen, seen | Word.CHANGING)) {
      return false;
    }
    long own;
    try {
      own = rebasing((long) START.getAcquire(this), Word.own(seen));
    } catch (RuntimeException | Error e) { // out of memory, for one: the next caller rebases
      WORD.setRelease(this, seen);
      throw e;
    }
    long latestStrict = WindowRules.strictUntilMillis(nowMillis, windowMillis);
    if (strictUntilMillis() > latestStrict) {
      STRICT_UNTIL.setOpaque(this, latestStrict);
    }
    START.setRelease(this, SlidingWindow.cellStart(nowMillis, windowMillis));
    WORD.setRelease(this, Word.rotated(seen) | own);
    return true;
  }

  /** Called after the own count of the current cell has grown, by a request with this limit. */
  void grown(long limit) {}

  /**
   * Called while changing, before the current cell becomes the previous one or is dropped. If it
   * throws, the cells stay as they were and the next rotation calls it again.
   */
  void rotating(long startMillis, long finalOwn, boolean becomesPrevious) {}

  /**
   * Called while changing, before the cells are moved back to the present. If it throws, they stay
   * as they were.
   *
   * @return the own count to continue with
   */
  long rebasing(long startMillis, long own) {
    return own;
  }

  /** Raises the strict-mode deadline after a denial; true if the series was not strict. */
  boolean enterStrictMode(long nowMillis, long windowMillis) {
    long until = WindowRules.strictUntilMillis(nowMillis, windowMillis);
    long known = (long) STRICT_UNTIL.getOpaque(this);
    while (known < until) { // at most one write per millisecond, whatever the rate of denials
      long witness = (long) STRICT_UNTIL.compareAndExchange(this, known, until);
      if (witness == known) {
        return known <= nowMillis;
      }
      known = witness;
    }
    return false;
  }

  long strictUntilMillis() {
    return (long) STRICT_UNTIL.getOpaque(this);
  }

  /** When the lifetime of the current cell ends, and that of the series with it. */
  long expiresAtMillis(long windowMillis) {
    return WindowRules.cellRemovedAtMillis((long) START.getAcquire(this), windowMillis);
  }

  /** Removes this counter if its cells are past their lifetime. */
  boolean expire(long nowMillis, long windowMillis) {
    long seen = (long) WORD.getAcquire(this);
    return Word.isOpen(seen)
        && nowMillis >= expiresAtMillis(windowMillis)
        && WORD.compareAndSet(this, seen, seen | Word.REMOVED);
  }

  boolean isRemoved() {
    return Word.isRemoved((long) WORD.getAcquire(this));
  }

  /** Removes this counter with its counts, unless a batch or a change is under way. */
  boolean evict() {
    long seen = (long) WORD.getAcquire(this);
    return Word.isOpen(seen) && WORD.compareAndSet(this, seen, seen | Word.REMOVED);
  }

  /**
   * Acquires the right to write the fields. Other threads wait for {@link #endChange} and see the
   * change as a whole.
   *
   * @return false if the series was removed: its own counts are final then
   */
  boolean beginChange() {
    for (int spins = 0; ; spins++) {
      long seen = (long) WORD.getAcquire(this);
      if (Word.isRemoved(seen)) {
        return false;
      }
      if (Word.isOpen(seen) && WORD.compareAndSet(this, seen, seen | Word.CHANGING)) {
        return true;
      }
      pause(spins);
    }
  }

  void endChange() {
    WORD.setRelease(this, (long) WORD.getOpaque(this) & ~Word.CHANGING);
  }

  /** Own count of the current cell. It may grow unless the series is changing or was removed. */
  long own() {
    return Word.own((long) WORD.getAcquire(this));
  }

  /** Tokens admitted elsewhere in the current cell, as far as this node has received them. */
  long others() {
    return 0;
  }

  long previous() {
    return (long) PREVIOUS.getAcquire(this);
  }

  /** To be called between {@link #beginChange} and {@link #endChange}. */
  void setPrevious(long count) {
    assert count >= previous() : "previous count shrinks from " + previous() + " to " + count;
    PREVIOUS.setRelease(this, count);
  }

  long startMillis() {
    return (long) START.getAcquire(this);
  }

  @SuppressWarnings("ThreadPriorityCheck") // only a hint: progress does not depend on it
  private static void pause(int spins) {
    if (spins < SPINS_BEFORE_YIELD) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  private static VarHandle field(String name) {
    try {
      return MethodHandles.lookup().findVarHandle(SeriesCounter.class, name, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
