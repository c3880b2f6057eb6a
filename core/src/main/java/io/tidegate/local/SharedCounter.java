package io.tidegate.local;

import io.tidegate.model.Scope;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The counts of a series that others count too, other nodes of this region or other regions: what
 * of them the origin has confirmed and the global counters hold, and for how long what the origin
 * told may be relied on.
 *
 * <p>The own counts leave this node, the regional ones (own and peers') the region, as they stand;
 * imported ones only come in. Each of them only grows within its cell, so every message may be
 * late, lost or repeated. What others counted is the sum of peers' and imported.
 */
public final class SharedCounter extends SeriesCounter {

  /** How long an answer of the origin is relied on, if no other follows, in elapsed time. */
  static final long FRESH_MILLIS = 5_000;

  /**
   * How old an answer may be for a look, which a caller makes to learn the count and not to be
   * admitted. One read in this time serves all looks at the series.
   */
  private static final long LOOK_FRESH_MILLIS = 100;

  /** Less than any effective count. */
  private static final long NOTHING = -1;

  /** How long after a cell's end its count may still arrive: a tick, an answer, a retry. */
  private static final long SECOND_LOOK_MILLIS = 1_000;

  /** Second looks are spread over this time: the windows of many series end at one instant. */
  private static final long SECOND_LOOK_SPREAD_MILLIS = 4_000;

  /** Somebody has taken on to tell the origin what it does not know yet. */
  private static final int FOR_REPLAY = 1;

  /** Somebody has taken on to see whether it should be pushed. */
  private static final int FOR_PUSH = 2;

  private static final int FOR_ALL = FOR_REPLAY | FOR_PUSH;

  private static final VarHandle QUEUED;
  private static final VarHandle LOWEST_LIMIT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      QUEUED = lookup.findVarHandle(SharedCounter.class, "queued", int.class);
      LOWEST_LIMIT = lookup.findVarHandle(SharedCounter.class, "lowestLimit", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * The own count of one cell, and how much of it the origin has confirmed.
   *
   * @param life which life of the series counted it, a number that no two counters of this process
   *     share, so that what a former one counted stays in the origin as if it were another node's
   * @param startMillis when the cell began
   * @param count the own count
   * @param confirmed what of it the origin is known to hold
   */
  public record OwnCell(int life, long startMillis, long count, long confirmed) {}

  /**
   * The regional count of one cell, and how much of it the global counters hold.
   *
   * @param startMillis when the cell began
   * @param count what the region counted
   * @param pushed what of it is known to be held
   * @param limit the lowest that something was admitted under lately
   * @param effective what a limit is compared with, over both cells and all regions
   * @param usedElsewhere whether another region has counted in this cell or the one next to it
   */
  public record RegionalCell(
      long startMillis,
      long count,
      long pushed,
      long limit,
      long effective,
      boolean usedElsewhere) {}

  private final SeriesTable table;
  private final String identifier;

  /** Written while changing. */
  private volatile int life;

  /** The final own count of the previous cell. Written while changing, as all counts are. */
  private volatile long previousOwn;

  /** How much of the own counts the origin is known to hold. */
  private volatile long confirmed;

  private volatile long previousConfirmed;

  /**
   * Until when the origin's last answer on both cells is relied on, in elapsed time: the clock may
   * be set back, and an answer must not last longer for it.
   */
  private volatile long freshUntilMillis = Long.MIN_VALUE;

  /** The same, of the current cell's predecessor: whether the series was warm when it rolled on. */
  private volatile long warmUntilMillis = Long.MIN_VALUE;

  /** When both cells were read last. */
  private volatile long readMillis = Long.MIN_VALUE;

  /** Who has taken it on. What nobody does here, for want of a layer, is set for good. */
  private volatile int queued;

  /**
   * The lowest limit that something was admitted under in the current cell; negated if it was in an
   * earlier one, 0 if never. Of two that are asked for at once, either may stay: at worst, a push
   * comes early or late.
   */
  private volatile long lowestLimit;

  private volatile Components components = Components.NONE;
  private volatile Components previousComponents = Components.NONE;

  /** When a read last failed, or was last tried since then. Written before the flag. */
  private volatile long readFailedNanos;

  private volatile boolean lastReadFailed;

  SharedCounter(SeriesTable table, String identifier, int life, long startMillis) {
    super(startMillis);
    this.table = table;
    this.identifier = identifier;
    this.life = life;
    this.queued =
        (table.store().hasOrigin() ? 0 : FOR_REPLAY) | (table.isPublished() ? 0 : FOR_PUSH);
  }

  public Scope scope() {
    return table.scope();
  }

  public String identifier() {
    return identifier;
  }

  @Override
  public boolean isGone() {
    return super.isGone();
  }

  @Override
  boolean isSure(long nowMillis) {
    return !table.hasOrigin()
        || table.elapsedMillis(nowMillis) < freshUntilMillis && nowMillis >= strictUntilMillis();
  }

  /**
   * Not everybody who is unsure has to wait, if little enough is known to be used. Windows of many
   * series end at the same instant: one that was warm until then goes on up to half its limit. One
   * that has not been used for a while, as most have not, goes on up to a hundredth. So no node can
   * take more than that of what the others have taken.
   */
  @Override
  long mostWithoutAsking(long limit, long nowMillis) {
    if (isSure(nowMillis)) {
      return limit;
    }
    if (nowMillis < strictUntilMillis()) {
      return NOTHING;
    }
    if (isCold()) {
      return table.elapsedMillis(nowMillis) < warmUntilMillis ? limit / 2 : NOTHING;
    }
    return limit / 100;
  }

  @Override
  long mostToLookAt(long limit, long nowMillis) {
    long freshestUntil = table.elapsedMillis(nowMillis) + FRESH_MILLIS - LOOK_FRESH_MILLIS;
    return !table.hasOrigin() || freshUntilMillis >= freshestUntil ? limit : NOTHING;
  }

  /** Whether the series is unsure because of a denial, and not because an answer is missing. */
  public boolean isStrict(long nowMillis) {
    return nowMillis < strictUntilMillis();
  }

  /** Whether the origin has not told anything about the current cell. */
  public boolean isCold() {
    return freshUntilMillis == Long.MIN_VALUE;
  }

  @Override
  void grown(long limit) {
    long lowest = lowestLimit;
    if (limit < lowest || lowest <= 0) {
      lowestLimit = limit;
    }
    if (queued != FOR_ALL) {
      if (queueForReplay()) {
        table.changed(this);
      }
      wantPush();
    }
  }

  /** Takes on to tell the origin; false if somebody has already. */
  public boolean queueForReplay() {
    return queue(FOR_REPLAY);
  }

  /**
   * Gives up what {@link #queueForReplay} took on. Look again whether there is something to tell.
   */
  public void unqueueForReplay() {
    QUEUED.getAndBitwiseAnd(this, ~FOR_REPLAY);
  }

  /** Takes on to push; false if somebody has already. */
  public boolean queueForPush() {
    return queue(FOR_PUSH);
  }

  /** Gives up what {@link #queueForPush} took on. Look afterwards whether to push. */
  public void unqueueForPush() {
    QUEUED.getAndBitwiseAnd(this, ~FOR_PUSH);
  }

  private boolean queue(int purpose) {
    return (queued & purpose) == 0 && ((int) QUEUED.getAndBitwiseOr(this, purpose) & purpose) == 0;
  }

  /** What nobody has been admitted to here, others push: most of what a pull brings. */
  private void wantPush() {
    if (lowestLimit != 0 && queueForPush()) {
      table.pushWanted(this);
    }
  }

  /** A cell that leaves the series untold goes on as a series of its own that nobody finds. */
  @Override
  void rotating(long startMillis, long finalOwn, boolean becomesPrevious) {
    long windowMillis = table.windowMillis();
    leave(startMillis - windowMillis, previousOwn, previousConfirmed);
    if (becomesPrevious) {
      previousOwn = finalOwn;
      previousConfirmed = confirmed;
      previousComponents = components;
      warmUntilMillis = freshUntilMillis;
    } else {
      leave(startMillis, finalOwn, confirmed);
      previousOwn = 0;
      previousConfirmed = 0;
      previousComponents = Components.NONE;
      warmUntilMillis = Long.MIN_VALUE;
    }
    confirmed = 0;
    components = Components.NONE;
    long lowest = lowestLimit;
    if (lowest > 0) {
      LOWEST_LIMIT.compareAndSet(this, lowest, -lowest); // or it was just asked for again
    }
    freshUntilMillis = Long.MIN_VALUE;
  }

  /**
   * The cells of the present may hold counts of this life already, so the series goes on under a
   * new one. What was counted at the wrong time still weighs on decisions here. The stores receive
   * it for the cells that it was counted in, which lie in the future.
   */
  @Override
  long rebasing(long startMillis, long own) {
    leave(startMillis - table.windowMillis(), previousOwn, previousConfirmed);
    leave(startMillis, own, confirmed);
    publish(
        startMillis - table.windowMillis(),
        previous() - previousComponents.imported(),
        previousComponents.pushed());
    publish(startMillis, own + others() - components.imported(), components.pushed());
    Components carried = Components.carrying(own + others());
    Components previousCarried = Components.carrying(previous());
    life = table.store().nextLife();
    previousOwn = 0;
    confirmed = 0;
    previousConfirmed = 0;
    components = carried;
    previousComponents = previousCarried;
    freshUntilMillis = Long.MIN_VALUE;
    warmUntilMillis = Long.MIN_VALUE;
    readMillis = Long.MIN_VALUE;
    setOthers(own + others());
    return 0;
  }

  private void leave(long startMillis, long own, long confirmedOwn) {
    if (own > confirmedOwn && table.hasOrigin()) {
      SharedCounter left = new SharedCounter(table, identifier, life, startMillis);
      left.confirmed = confirmedOwn;
      left.queued |= FOR_PUSH; // what is over cannot matter to other regions any more
      left.release(own, 0); // which queues it
      left.evict();
    }
  }

  /**
   * Lets the global counters receive what the region counted in a cell that this series leaves: it
   * lies in the future, where no other node of the region may come to use it.
   */
  private void publish(long startMillis, long regional, long pushed) {
    long limit = Math.abs(lowestLimit);
    if (regional > pushed && limit > 0) {
      SharedCounter left = new SharedCounter(table, identifier, life, startMillis);
      left.queued |= FOR_REPLAY; // its own counts are left by themselves
      left.release(regional, limit); // which queues it
      left.evict();
    }
  }

  /** Whether the origin does not hold all own counts. */
  public boolean hasUntold() {
    boolean living = beginChange();
    try {
      return previousOwn > previousConfirmed || own() > confirmed;
    } finally {
      if (living) {
        endChange();
      }
    }
  }

  /** The cells of which the origin does not know all, oldest first. */
  public List<OwnCell> untold() {
    List<OwnCell> cells = new ArrayList<>(2);
    boolean living = beginChange();
    try {
      if (previousOwn > previousConfirmed) {
        cells.add(previousCell());
      }
      if (own() > confirmed) {
        cells.add(currentCell());
      }
    } finally {
      if (living) {
        endChange();
      }
    }
    return cells;
  }

  /** Both cells at this time, the current one first; empty when the series is gone. */
  public List<OwnCell> cells(long nowMillis) {
    return roll(nowMillis, table.windowMillis()) == MOVED ? List.of() : cells();
  }

  /** Both cells as they are, the current one first; empty when the series is gone. */
  public List<OwnCell> cells() {
    if (!beginChange()) {
      return List.of();
    }
    try {
      return List.of(currentCell(), previousCell());
    } finally {
      endChange();
    }
  }

  private OwnCell currentCell() {
    return new OwnCell(life, startMillis(), own(), confirmed);
  }

  private OwnCell previousCell() {
    return new OwnCell(life, startMillis() - table.windowMillis(), previousOwn, previousConfirmed);
  }

  /** The origin holds at least this much of the own count of a cell. */
  public void confirm(long cellStartMillis, long count) {
    note(
        cellStartMillis,
        () -> confirmed = Math.max(confirmed, count),
        () -> previousConfirmed = Math.max(previousConfirmed, count));
  }

  /** Whether the origin has confirmed anything of what counts here. */
  public boolean hasConfirmed() {
    return (confirmed | previousConfirmed) != 0;
  }

  /** The origin may have lost what it confirmed. */
  public void unconfirm() {
    boolean living = beginChange();
    try {
      confirmed = 0;
      previousConfirmed = 0;
    } finally {
      if (living) {
        endChange();
      }
    }
  }

  /** The other nodes have counted at least this much in a cell. */
  public void mergePeers(long cellStartMillis, long peers) {
    merge(
        cellStartMillis,
        () -> raiseRegional(own() + peers),
        () -> raisePreviousRegional(previousOwn + peers));
  }

  /**
   * The region has counted at least this much in a cell, and the global counters hold it. That is
   * no answer of the origin, and nothing becomes fresh by it.
   *
   * @param pullSeconds when the pull began that has read it
   * @return whether it was news, if only that something was lost
   */
  public boolean mergeRegional(long cellStartMillis, long count, int pullSeconds, long nowMillis) {
    roll(nowMillis, table.windowMillis());
    return merge(
        cellStartMillis,
        () -> current().mergePushed(count, pullSeconds) | raiseRegional(count),
        () -> beforeCurrent().mergePushed(count, pullSeconds) | raisePreviousRegional(count));
  }

  /**
   * Another region has counted at least this much in a cell.
   *
   * @param region the number of the region
   * @return whether it was news
   */
  public boolean mergeImported(long cellStartMillis, int region, long count, long nowMillis) {
    roll(nowMillis, table.windowMillis());
    return merge(
        cellStartMillis,
        () -> {
          long growth = current().raise(region, count);
          setOthers(others() + growth);
          return growth > 0;
        },
        () -> {
          long growth = beforeCurrent().raise(region, count);
          setPrevious(previous() + growth);
          return growth > 0;
        });
  }

  /**
   * The global counters hold at least this much of the regional count of a cell.
   *
   * @param nowSeconds when they confirmed it
   */
  public void pushed(long cellStartMillis, long count, int nowSeconds) {
    note(
        cellStartMillis,
        () -> current().raisePushed(count, nowSeconds),
        () -> beforeCurrent().raisePushed(count, nowSeconds));
  }

  /**
   * Everything has been pulled: what was pushed well before and was not among it, the global
   * counters have lost, and it has to be pushed again. Cells that are over are not pulled.
   *
   * @param pullSeconds when the pull of everything began
   * @return whether something was lost
   */
  public boolean unpushUnlessConfirmed(int pullSeconds, long nowMillis) {
    boolean lost = false;
    boolean living = beginChange();
    try { // and does not roll on, or series that nobody uses would never expire
      long age = nowMillis - startMillis();
      lost = age < 2 * table.windowMillis() && components.unpushUnlessConfirmed(pullSeconds);
      lost |= age < table.windowMillis() && previousComponents.unpushUnlessConfirmed(pullSeconds);
    } finally {
      if (living) {
        endChange();
      }
    }
    if (lost) {
      wantPush();
    }
    return lost;
  }

  /**
   * The cells of which the global counters do not hold all that the region counted, oldest first,
   * unless they are over.
   */
  public List<RegionalCell> unpushed(long nowMillis) {
    long limit = Math.abs(lowestLimit);
    if (limit == 0) {
      return List.of(); // whoever counted it knows, and will push it
    }
    roll(nowMillis, table.windowMillis());
    List<RegionalCell> cells = new ArrayList<>(2);
    boolean living = beginChange();
    try {
      long start = startMillis();
      long windowMillis = table.windowMillis();
      long overlap = Math.max(0, SlidingWindow.overlap(nowMillis, start, windowMillis));
      long weighted = SlidingWindow.weighted(previous(), overlap, windowMillis);
      long effective = SlidingWindow.effective(own() + others(), weighted, 0);
      boolean elsewhere = components.imported() + previousComponents.imported() > 0;
      long previous = previous() - previousComponents.imported();
      if (previous > previousComponents.pushed() && nowMillis < start + windowMillis) {
        cells.add(new RegionalCell(
            start - windowMillis,
            previous,
            previousComponents.pushed(),
            limit,
            effective,
            elsewhere));
      }
      long current = own() + others() - components.imported();
      if (current > components.pushed() && nowMillis < start + 2 * windowMillis) {
        cells.add(
            new RegionalCell(start, current, components.pushed(), limit, effective, elsewhere));
      }
    } finally {
      if (living) {
        endChange();
      }
    }
    return cells;
  }

  private boolean raiseRegional(long count) {
    long others = Math.max(0, count - own()) + components.imported();
    boolean raised = others > others();
    if (raised) {
      setOthers(others);
    }
    return raised;
  }

  private boolean raisePreviousRegional(long count) {
    long all = count + previousComponents.imported();
    boolean raised = all > previous();
    if (raised) {
      setPrevious(all);
    }
    return raised;
  }

  private Components current() {
    if (components == Components.NONE) {
      components = new Components();
    }
    return components;
  }

  private Components beforeCurrent() {
    if (previousComponents == Components.NONE) {
      previousComponents = new Components();
    }
    return previousComponents;
  }

  /**
   * Merges a count of others into the current or the previous cell, whichever began then. Does
   * nothing when the series is gone: its successor counts what this one counted as a peer's, so a
   * sum of both would count it twice.
   *
   * @return whether the count has grown, as the change says
   */
  private boolean merge(
      long cellStartMillis, BooleanSupplier ofCurrent, BooleanSupplier ofPrevious) {
    if (!beginChange()) {
      return false;
    }
    boolean grown;
    try {
      grown = change(cellStartMillis, ofCurrent, ofPrevious);
    } finally {
      endChange();
    }
    if (grown) {
      wantPush();
    }
    return grown;
  }

  /** Notes something about own counts, which also those of a series that is gone still need. */
  private void note(long cellStartMillis, Runnable ofCurrent, Runnable ofPrevious) {
    boolean living = beginChange();
    try {
      change(
          cellStartMillis,
          () -> {
            ofCurrent.run();
            return false;
          },
          () -> {
            ofPrevious.run();
            return false;
          });
    } finally {
      if (living) {
        endChange();
      }
    }
  }

  private boolean change(
      long cellStartMillis, BooleanSupplier ofCurrent, BooleanSupplier ofPrevious) {
    long behind = startMillis() - cellStartMillis;
    if (behind == 0) {
      return ofCurrent.getAsBoolean();
    }
    return behind == table.windowMillis() && ofPrevious.getAsBoolean();
  }

  /**
   * The origin has answered a read of both cells.
   *
   * @param cellStartMillis when the current one of them began
   * @param askedMillis when it was asked, by the clock
   * @param askedElapsedMillis when it was asked, in elapsed time
   */
  public void refreshed(long cellStartMillis, long askedMillis, long askedElapsedMillis) {
    readMillis = Math.max(readMillis, askedMillis);
    relyFrom(cellStartMillis, askedElapsedMillis);
  }

  /** The origin has answered about one cell alone: that keeps fresh what was, and no more. */
  public void keepFresh(long cellStartMillis, long askedElapsedMillis) {
    if (!isCold()) {
      relyFrom(cellStartMillis, askedElapsedMillis);
    }
  }

  private void relyFrom(long cellStartMillis, long askedElapsedMillis) {
    long until = askedElapsedMillis + FRESH_MILLIS;
    note(
        cellStartMillis,
        () -> freshUntilMillis = Math.max(freshUntilMillis, until),
        () -> warmUntilMillis = Math.max(warmUntilMillis, until));
  }

  /**
   * Whether it is time to read both cells once more in this cell: the other nodes send what they
   * counted last in the previous cell after it is over, and only a read brings it here.
   */
  public boolean takeSecondLook(long nowMillis) {
    long quarter = table.windowMillis() / 4;
    long spread = Math.floorMod(
        identifier.hashCode() * 0x9E3779B97F4A7C15L, Math.min(SECOND_LOOK_SPREAD_MILLIS, quarter));
    long due = startMillis() + Math.min(SECOND_LOOK_MILLIS, quarter) + spread;
    boolean look = !isCold() && nowMillis >= due && readMillis < due;
    if (look) {
      readMillis = nowMillis;
    }
    return look;
  }

  /** Whether a read failed, or was tried in vain, less than this long ago. */
  public boolean readFailedWithin(long nanos, long elapsedNanos) {
    return lastReadFailed && elapsedNanos - readFailedNanos < nanos;
  }

  public void readSucceeded() {
    lastReadFailed = false;
  }

  public void readFailed(long elapsedNanos) {
    readFailedNanos = elapsedNanos;
    lastReadFailed = true;
  }
}
