package io.tidegate.local;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one series: its current and its previous cell, and its strict-mode deadline. Only
 * here and in {@link SharedCounter} does a count change.
 *
 * <p>Everything turns on one word, {@code state (2 bits) | rotations (22) | own count of the
 * current cell (40)}. An own count never exceeds the greatest limit, 10^12, so 40 bits hold it. The
 * other fields change only while the state is {@code CHANGING}, and a rotation changes the word. So
 * whoever reads the word, then the fields, and then finds the same rotation in the word has read
 * counts of the same two cells; and a CAS from that word adds to the very cell that was judged.
 *
 * <p>A count never shrinks. It ends with its cell, two rotations on, or with the whole series when
 * that expires or is evicted.
 */
class SeriesCounter {

  /** Instead of an effective count: the limit has no room for the cost. */
  static final long DENIED = -1;

  /** Instead of an answer: there is room by what is known, but others may know more. Ask them. */
  static final long UNSURE = -2;

  /** Instead of an answer: the series has rolled on, or is gone. Look again. */
  static final long MOVED = Long.MIN_VALUE;

  private static final long OWN_MASK = (1L << 40) - 1;
  private static final long ONE_ROTATION = 1L << 40;
  private static final long ROTATIONS_MASK = (1L << 62) - ONE_ROTATION;

  /**
   * A batch checks and adds: whoever would admit waits, whoever denies need not. Neither bit set
   * means open.
   */
  private static final long HELD = 1L << 62;
  /** The fields are being written. With this bit, and only with it, the word is negative. */
  private static final long CHANGING = 1L << 63;
  /** Expired or evicted: nothing is added any more, callers find or create its successor. */
  private static final long GONE = CHANGING | HELD;

  /**
   * A rotation takes a few stores and a batch some microseconds: by then a holder has lost its
   * core.
   */
  private static final int SPINS_BEFORE_YIELD = 100;

  /** More than two cells can have counted. */
  static final long STRICT_WORTH = 1L << 60;

  private static final VarHandle WORD = field("word");
  private static final VarHandle START = field("startMillis");
  private static final VarHandle OTHERS = field("others");
  private static final VarHandle PREVIOUS = field("previous");
  private static final VarHandle STRICT_UNTIL = field("strictUntilMillis");

  private long word;

  /** When the current cell began. Written while changing. */
  private long startMillis;

  /** What others counted in the current cell, as far as is known. Written while changing. */
  private long others;

  /** The count of the cell before: the own one is final, that of others may still rise. */
  private long previous;

  /**
   * Until when every decision wants fresh counts. Raised by denials; has no cell, so it outlives a
   * rotation.
   */
  private long strictUntilMillis = Long.MIN_VALUE;

  SeriesCounter(long startMillis) {
    this.startMillis = startMillis;
  }

  /**
   * Rolls on to the cell of this time; a time before the current cell changes nothing.
   *
   * @return the start of the current cell, or {@link #MOVED} when the series is gone
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
        if (isOpen(seen) && WORD.compareAndSet(this, seen, seen | CHANGING)) {
          boolean adjacent = next - start == windowMillis;
          try {
            rotating(start, own(seen), adjacent);
          } catch (RuntimeException | Error e) { // as for lack of memory: the next caller rotates
            WORD.setRelease(this, seen);
            throw e;
          }
          PREVIOUS.setRelease(this, adjacent ? own(seen) + others : 0);
          OTHERS.setRelease(this, 0L);
          START.setRelease(this, next);
          WORD.setRelease(this, (seen + ONE_ROTATION) & ROTATIONS_MASK);
          return next;
        }
      } else if (isGone(seen)) {
        return MOVED;
      }
      pause(spins);
    }
  }

  /**
   * Adds the cost where there is plainly room for it, even if the previous cell weighed in full, as
   * it does at most; or denies where there is plainly none, even if it weighed nothing. Saves most
   * decisions a division and a second look.
   *
   * @return what {@link #take} would, but 0 instead of the effective count; {@link #MOVED} if it is
   *     not as plain as that
   */
  long takePlainly(long nowMillis, long windowMillis, long limit, long cost) {
    long seen = (long) WORD.getAcquire(this);
    if (seen < 0
        || Long.compareUnsigned(nowMillis - (long) START.getAcquire(this), windowMillis) >= 0) {
      return MOVED; // also for a time before the cell: it may have to be rebased
    }
    boolean sure = isSure(nowMillis); // before the counts: later it might be sure of newer ones
    long current = own(seen) + (long) OTHERS.getAcquire(this);
    if (current + cost > limit) {
      return isSameCell(seen, (long) WORD.getAcquire(this)) ? DENIED : MOVED;
    }
    if (sure
        && current + (long) PREVIOUS.getAcquire(this) + cost <= limit
        && cost > 0
        && isOpen(seen)
        && WORD.compareAndSet(this, seen, seen + cost)) {
      grown(limit);
      return 0;
    }
    return MOVED;
  }

  /**
   * Adds the cost to the current cell if the limit has room for it; cost 0 only looks whether there
   * is any. Waits while a batch holds the series, unless the answer is a denial anyway.
   *
   * @param start the cell to judge, as {@link #roll} told
   * @param unsure whether to decide by what is known, even if others may know more
   * @return the effective count if admitted, else {@link #DENIED}, {@link #UNSURE} or
   *     {@link #MOVED}
   */
  long take(long start, long nowMillis, long windowMillis, long limit, long cost, boolean unsure) {
    long seen = (long) WORD.getAcquire(this);
    if (seen < 0 || (long) START.getAcquire(this) != start) {
      return MOVED;
    }
    long overlap = SlidingWindow.overlap(nowMillis, start, windowMillis);
    for (int spins = 0; ; spins++) {
      long most = most(limit, cost, nowMillis, unsure); // before the counts
      long current = own(seen) + (long) OTHERS.getAcquire(this);
      long weighted =
          SlidingWindow.weighted((long) PREVIOUS.getAcquire(this), overlap, windowMillis);
      long effective = SlidingWindow.effective(current, weighted, cost);
      boolean admitted = SlidingWindow.admits(effective, limit);
      if (admitted && effective > most) {
        return UNSURE;
      }
      if (admitted && cost > 0 && isOpen(seen) && WORD.compareAndSet(this, seen, seen + cost)) {
        grown(limit);
        return effective;
      }
      long again = (long) WORD.getAcquire(this);
      if (!isSameCell(seen, again)) {
        return MOVED;
      }
      if (!admitted) {
        return DENIED; // what a batch may add changes nothing about that
      }
      if (cost == 0 && isOpen(seen)) {
        return effective;
      }
      if (!isOpen(again)) {
        pause(spins);
      }
      seen = again;
    }
  }

  /**
   * Both cells as they are at one instant, rolled on to this time; null when the series is gone.
   * Does not wait for a batch that holds the series: good for denials, which what it may add cannot
   * change.
   */
  @Nullable
  Cells cells(long nowMillis, long windowMillis) {
    while (true) {
      long start = roll(nowMillis, windowMillis);
      if (start == MOVED) {
        return null;
      }
      long seen = (long) WORD.getAcquire(this);
      Cells cells = read(seen, windowMillis);
      if (cells.startMillis() == start && isSameCell(seen, (long) WORD.getAcquire(this))) {
        return cells;
      }
    }
  }

  /**
   * Keeps everybody else from changing the counts until {@link #release}. Whoever holds several
   * series takes them in one order, the same for all.
   *
   * @return both cells, rolled on to this time; null when the series is gone
   */
  @Nullable
  Cells hold(long nowMillis, long windowMillis) {
    for (int spins = 0; ; spins++) {
      long start = roll(nowMillis, windowMillis);
      if (start == MOVED) {
        return null;
      }
      long seen = (long) WORD.getAcquire(this);
      Cells cells = read(seen, windowMillis);
      if (isOpen(seen)
          && cells.startMillis() == start
          && WORD.compareAndSet(this, seen, seen | HELD)) {
        return cells;
      }
      pause(spins);
    }
  }

  /** Ends a {@link #hold}, adding what the batch took under this limit. */
  void release(long cost, long limit) {
    WORD.setRelease(this, ((long) WORD.getOpaque(this) & ~HELD) + cost);
    if (cost > 0) {
      grown(limit);
    }
  }

  /** Whether all is known that a decision at this time needs; in one process it always is. */
  boolean isSure(long nowMillis) {
    return true;
  }

  /** Up to which effective count a request is admitted at this time without asking the origin. */
  long mostWithoutAsking(long limit, long nowMillis) {
    return limit;
  }

  /** Up to which effective count a look is answered at this time without asking the origin. */
  long mostToLookAt(long limit, long nowMillis) {
    return limit;
  }

  private long most(long limit, long cost, long nowMillis, boolean unsure) {
    if (unsure) {
      return limit;
    }
    return cost == 0 ? mostToLookAt(limit, nowMillis) : mostWithoutAsking(limit, nowMillis);
  }

  /**
   * Whether the current cell begins more than a window after this time, which a clock that was
   * wrong for a moment leaves behind. Until then a time before the cell counts as its beginning.
   */
  boolean isAhead(long nowMillis, long windowMillis) {
    return (long) START.getAcquire(this) - nowMillis > windowMillis;
  }

  /**
   * Moves the cells back to this time if they are more than a window ahead of it. Their counts are
   * kept: a clock that was set back frees nothing.
   *
   * @return whether they were moved; not while a batch or a change is under way
   */
  boolean rebase(long nowMillis, long windowMillis) {
    long seen = (long) WORD.getAcquire(this);
    if (!isOpen(seen)
        || !isAhead(nowMillis, windowMillis)
        || !WORD.compareAndSet(this, seen, seen | CHANGING)) {
      return false;
    }
    long own;
    try {
      own = rebasing((long) START.getAcquire(this), own(seen));
    } catch (RuntimeException | Error e) { // as for lack of memory: the next caller rebases
      WORD.setRelease(this, seen);
      throw e;
    }
    if (strictUntilMillis() > nowMillis + windowMillis) {
      STRICT_UNTIL.setOpaque(this, nowMillis + windowMillis);
    }
    START.setRelease(this, SlidingWindow.cellStart(nowMillis, windowMillis));
    WORD.setRelease(this, (seen + ONE_ROTATION) & ROTATIONS_MASK | own);
    return true;
  }

  /** The own count of the current cell has just grown, by a request with this limit. */
  void grown(long limit) {}

  /**
   * A cell has its final own count and is about to become the previous one, or to be dropped. What
   * this throws leaves the cell as it was, and it is called again.
   */
  void rotating(long startMillis, long finalOwn, boolean becomesPrevious) {}

  /**
   * The cells are about to be moved back to the present. What this throws leaves them as they were.
   *
   * @return the own count to go on with
   */
  long rebasing(long startMillis, long own) {
    return own;
  }

  /**
   * Sets the strict-mode deadline to a window from now, never back; true if the series was not
   * strict.
   */
  boolean enterStrictMode(long nowMillis, long windowMillis) {
    long until = nowMillis + windowMillis;
    long known = (long) STRICT_UNTIL.getOpaque(this);
    while (known < until) { // at most one write a millisecond, however many are denied
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

  /**
   * From when on neither cell weighs on any decision: two windows after the current one began, and
   * one more for requests whose clock is behind the one that asks.
   */
  long expiresAtMillis(long windowMillis) {
    return (long) START.getAcquire(this) + 3 * windowMillis;
  }

  /** Ends the life of this counter if nothing it knows can matter any more. */
  boolean expire(long nowMillis, long windowMillis) {
    long seen = (long) WORD.getAcquire(this);
    return isOpen(seen)
        && nowMillis >= expiresAtMillis(windowMillis)
        && WORD.compareAndSet(this, seen, seen | GONE);
  }

  boolean isGone() {
    return isGone((long) WORD.getAcquire(this));
  }

  /**
   * Ends the life of this counter, unless a batch or a change is under way. What it counted is
   * forgotten here.
   */
  boolean evict() {
    long seen = (long) WORD.getAcquire(this);
    return isOpen(seen) && WORD.compareAndSet(this, seen, seen | GONE);
  }

  /**
   * Begins a change of the fields, of which nobody sees a part; everybody else waits for
   * {@link #endChange}, a few stores later.
   *
   * @return false when the series is gone: its own counts are final then
   */
  boolean beginChange() {
    for (int spins = 0; ; spins++) {
      long seen = (long) WORD.getAcquire(this);
      if (isGone(seen)) {
        return false;
      }
      if (isOpen(seen) && WORD.compareAndSet(this, seen, seen | CHANGING)) {
        return true;
      }
      pause(spins);
    }
  }

  void endChange() {
    WORD.setRelease(this, (long) WORD.getOpaque(this) & ~CHANGING);
  }

  /** The own count of the current cell: it holds still only if the series is gone or changing. */
  long own() {
    return own((long) WORD.getAcquire(this));
  }

  long others() {
    return (long) OTHERS.getAcquire(this);
  }

  /** To be called between {@link #beginChange} and {@link #endChange}. */
  void setOthers(long count) {
    OTHERS.setRelease(this, count);
  }

  long previous() {
    return (long) PREVIOUS.getAcquire(this);
  }

  /** To be called between {@link #beginChange} and {@link #endChange}. */
  void setPrevious(long count) {
    PREVIOUS.setRelease(this, count);
  }

  long startMillis() {
    return (long) START.getAcquire(this);
  }

  /**
   * How much would be lost by {@link #evict}, to choose among several: most of all a limit that is
   * being enforced.
   */
  long worth(long nowMillis) {
    long counted = own() + others() + previous();
    return strictUntilMillis() > nowMillis ? STRICT_WORTH + counted : counted;
  }

  /** The cells that belong to a word, if the word proves afterwards to be the same still. */
  private Cells read(long seen, long windowMillis) {
    return new Cells(
        (long) START.getAcquire(this),
        windowMillis,
        own(seen) + (long) OTHERS.getAcquire(this),
        (long) PREVIOUS.getAcquire(this));
  }

  private static long own(long word) {
    return word & OWN_MASK;
  }

  private static boolean isOpen(long word) {
    return (word & GONE) == 0;
  }

  private static boolean isGone(long word) {
    return (word & GONE) == GONE;
  }

  private static boolean isSameCell(long word, long later) {
    return later >= 0 && ((word ^ later) & ROTATIONS_MASK) == 0;
  }

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
