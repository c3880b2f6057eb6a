package io.tidegate.local;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The membership of a series in the queues of its store: in the replay queue while the origin has
 * not confirmed all own counts, in the push queue while the push policy has to look at it.
 *
 * <p>A bit of {@code queued} is set by the thread that adds the series to a queue and cleared by
 * the thread that is done with it, so a series is in each queue once at most.
 */
abstract sealed class QueuedCounter extends RefreshableCounter implements Unconfirmed, Unpushed
    permits SharedCounter {

  /** The counter is a member of the replay queue. */
  private static final byte FOR_REPLAY = 1;

  /** The counter is a member of the push queue. */
  private static final byte FOR_PUSH = 2;

  private static final byte FOR_ALL = FOR_REPLAY | FOR_PUSH;

  private static final VarHandle QUEUED;

  static {
    try {
      QUEUED = MethodHandles.lookup().findVarHandle(QueuedCounter.class, "queued", byte.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The queues that this counter is a member of. The bit of an absent layer stays set. */
  private volatile byte queued;

  /**
   * The lowest limit under which tokens were admitted in the current cell, or the last one of an
   * earlier cell; 0 if this node never admitted any. Written by decisions without a lock: of two
   * concurrent limits either may remain, and a push is early or late at worst.
   */
  private volatile long lowestLimit;

  /** Whether {@link #lowestLimit} is of the current cell. Cleared by rotations. */
  private volatile boolean limitIsCurrent;

  QueuedCounter(SeriesTable table, String identifier, long startMillis) {
    super(table, identifier, startMillis);
    this.queued =
        (byte) ((table.hasOrigin() ? 0 : FOR_REPLAY) | (table.isPublished() ? 0 : FOR_PUSH));
  }

  /** Whether the origin does not hold all own counts. */
  abstract boolean hasUnconfirmed();

  @Override
  public final boolean isRemoved() {
    return super.isRemoved();
  }

  @Override
  final void grown(long limit) {
    if (!limitIsCurrent || limit < lowestLimit) {
      lowestLimit = limit;
      limitIsCurrent = true;
    }
    if (queued != FOR_ALL) {
      if (queue(FOR_REPLAY)) {
        addOrUnqueue(table().store().unconfirmed(), FOR_REPLAY);
      }
      addForPush();
    }
  }

  /** Leaves series without admissions here to the nodes that admit: most that a pull brings are. */
  final void addForPush() {
    if (lowestLimit != 0 && queueForPush()) {
      addOrUnqueue(table().store().unpushed(), FOR_PUSH);
    }
  }

  private void addOrUnqueue(PendingQueue<? super QueuedCounter> queue, byte purpose) {
    try {
      queue.add(this);
    } catch (RuntimeException | Error e) { // out of memory, for one: the next growth adds it
      unqueue(purpose);
      throw e;
    }
  }

  /** Begins the membership in the replay queue; false if there is nothing to send, or it is one. */
  public final boolean queueForReplay() {
    return hasUnconfirmed() && queue(FOR_REPLAY);
  }

  @Override
  public final boolean unqueueOrKeep() {
    unqueue(FOR_REPLAY);
    return queueForReplay(); // for counts that have grown between the answer and the line above
  }

  @Override
  public final boolean queueForPush() {
    return queue(FOR_PUSH);
  }

  @Override
  public final void unqueueForPush() {
    unqueue(FOR_PUSH);
  }

  private boolean queue(byte purpose) {
    return (queued & purpose) == 0 && ((byte) QUEUED.getAndBitwiseOr(this, purpose) & purpose) == 0;
  }

  private void unqueue(byte purpose) {
    byte before = (byte) QUEUED.getAndBitwiseAnd(this, (byte) ~purpose);
    assert (before & purpose) != 0 : "was not a member of the queue: " + purpose;
  }

  /** The lowest limit under which tokens were admitted lately; 0 if this node admitted none. */
  final long lowestLimit() {
    return lowestLimit;
  }

  /** The next limit replaces the lowest one, which belongs to an earlier cell from now on. */
  final void forgetLimitOfCell() {
    limitIsCurrent = false;
  }

  /**
   * Merges counts of others, unless the series was removed: its successor counts the tokens of this
   * one as a peer's, so a sum of both would count them twice.
   *
   * @param merge the change; returns whether a count has grown, which the push policy may act on
   * @return whether the series is live and a count has grown
   */
  final boolean merge(BooleanSupplier merge) {
    if (!beginChange()) {
      return false;
    }
    boolean grown;
    try {
      grown = merge.getAsBoolean();
    } finally {
      endChange();
    }
    if (grown) {
      addForPush();
    }
    return grown;
  }

  final void change(Runnable change) {
    read(() -> {
      change.run();
      return true;
    });
  }

  /** Runs under the lock, or without it if the series was removed: its counts are final then. */
  final <T> T read(Supplier<T> reading) {
    boolean live = beginChange();
    try {
      return reading.get();
    } finally {
      if (live) {
        endChange();
      }
    }
  }
}
