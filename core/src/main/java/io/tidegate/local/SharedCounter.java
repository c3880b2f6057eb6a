package io.tidegate.local;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a series that other nodes of the region or other regions count as well: beside the
 * counts, which of them the origin has confirmed and the global counters hold, and how long the
 * last answer of the origin stays fresh.
 *
 * <p>Own counts leave the node, regional counts (own and peers') leave the region; imported counts
 * are never sent on. Each of them only grows within its cell, so a message may be late, lost or
 * repeated. The count of others in {@link SeriesCounter} is the sum of peers' and imported counts.
 */
public final class SharedCounter extends QueuedCounter {

  /**
   * Part of the writer name under which the origin holds the own counts. Written while changing.
   */
  private volatile int incarnation;

  /** What is known of the two cells beside their counts. Written while changing. */
  private volatile SharedCell current = new SharedCell();

  private volatile SharedCell previous = SharedCell.EMPTY;

  SharedCounter(SeriesTable table, String identifier, int incarnation, long startMillis) {
    super(table, identifier, startMillis);
    this.incarnation = incarnation;
  }

  // Rotation and rebase.

  @Override
  void rotating(long startMillis, long finalOwn, boolean becomesPrevious) {
    keepUnconfirmed(startMillis - table().windowMillis(), previous.finalOwn(), previous);
    if (!becomesPrevious) {
      keepUnconfirmed(startMillis, finalOwn, current);
    }
    SharedCell next = new SharedCell(); // the last line that can throw
    previous = becomesPrevious ? current.end(finalOwn) : SharedCell.EMPTY;
    current = next;
    if (becomesPrevious) {
      rotateFreshness();
    } else {
      resetFreshness();
    }
    forgetLimitOfCell();
  }

  /**
   * Continues under a new incarnation, because the cells of the present may hold counts of this one
   * already. Tokens that were counted at the wrong time still weigh on decisions here. The stores
   * receive them for the cells that they were counted in, which lie in the future.
   */
  @Override
  long rebasing(long startMillis, long own) {
    long previousStartMillis = startMillis - table().windowMillis();
    long count = own + others();
    keepUnconfirmed(previousStartMillis, previous.finalOwn(), previous);
    keepUnconfirmed(startMillis, own, current);
    keepUnpushed(previousStartMillis, previous() - previous.imported(), previous);
    keepUnpushed(startMillis, count - current.imported(), current);
    SharedCell carried = PublishedCell.carrying(count);
    SharedCell previousCarried = PublishedCell.carrying(previous());
    incarnation = table().store().nextIncarnation();
    current = carried;
    previous = previousCarried;
    resetFreshness();
    setOthers(count);
    return 0;
  }

  /** Queues a cell that leaves this series before the origin has confirmed its own count. */
  private void keepUnconfirmed(long startMillis, long own, SharedCell cell) {
    if (own > cell.confirmed() && table().hasOrigin()) {
      UnconfirmedCell left = new UnconfirmedCell(
          table(), identifier(), incarnation, startMillis, own, cell.confirmed());
      table().store().unconfirmed().add(left);
    }
  }

  /** Queues a cell that leaves this series before its regional count was pushed. */
  private void keepUnpushed(long startMillis, long regional, SharedCell cell) {
    if (regional > cell.pushed() && lowestLimit() > 0 && table().isPublished()) {
      UnpushedCell left =
          new UnpushedCell(table(), identifier(), startMillis, regional, lowestLimit());
      table().store().unpushed().add(left);
    }
  }

  // Own counts and the origin.

  @Override
  boolean hasUnconfirmed() {
    return read(() -> previous.finalOwn() > previous.confirmed() || own() > current.confirmed());
  }

  @Override
  public List<OwnCell> unconfirmed() {
    return read(() -> {
      List<OwnCell> cells = new ArrayList<>(2);
      if (previous.finalOwn() > previous.confirmed()) {
        cells.add(previousCell());
      }
      if (own() > current.confirmed()) {
        cells.add(currentCell());
      }
      return cells;
    });
  }

  /** Both cells at this time, the current one first; empty if the series was removed. */
  public List<OwnCell> cells(long nowMillis) {
    return roll(nowMillis, table().windowMillis()) == MOVED ? List.of() : cells();
  }

  /** Both cells as they are, the current one first; empty if the series was removed. */
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
    return new OwnCell(this, incarnation, startMillis(), own(), current.confirmed());
  }

  private OwnCell previousCell() {
    return new OwnCell(
        this, incarnation, previousStartMillis(), previous.finalOwn(), previous.confirmed());
  }

  /** Whether the origin has confirmed some of the own counts. */
  public boolean hasConfirmed() {
    return current.confirmed() != 0 || previous.confirmed() != 0;
  }

  /** Confirms, also after the series was removed: its own counts are still sent. */
  @Override
  public void confirm(OwnCell cell) {
    change(() -> confirmChanging(cell));
  }

  private void confirmChanging(OwnCell cell) {
    SharedCell confirmed = cellAt(cell.startMillis());
    if (confirmed != null && cell.incarnation() == incarnation) {
      confirmed.confirm(cell.count());
    }
  }

  /** The origin may have lost what it confirmed. */
  public void unconfirm() {
    change(() -> {
      current.unconfirm();
      previous.unconfirm();
    });
  }

  /** Merges with one acquisition of the lock. A removed series only confirms. */
  @Override
  public void merge(OwnCell sent, long peers, long askedElapsedMillis) {
    boolean grown = false;
    boolean live = beginChange();
    try {
      confirmChanging(sent);
      if (live) {
        grown = raisePeers(sent, peers); // before the series becomes fresh
        keepFresh(sent.startMillis(), askedElapsedMillis);
      }
    } finally {
      if (live) {
        endChange();
      }
    }
    if (grown) {
      addForPush();
    }
  }

  /** The origin has answered to a read: other nodes have counted this much in these cells. */
  public void mergePeers(List<OwnCell> asked, long[] peers) {
    merge(() -> raisePeers(asked, peers));
  }

  /**
   * The origin has answered to a read of both cells, which makes the series fresh.
   *
   * @param asked both cells, the current one first
   * @param peers tokens that other nodes have admitted in each of them
   * @param askedMillis when the read began, by the clock
   * @param askedElapsedMillis when the read began, in elapsed time
   */
  public void refresh(
      List<OwnCell> asked, long[] peers, long askedMillis, long askedElapsedMillis) {
    merge(() -> {
      boolean grown = raisePeers(asked, peers); // before the series becomes fresh
      becomeFresh(asked.get(0).startMillis(), askedMillis, askedElapsedMillis);
      return grown;
    });
  }

  // Regional and imported counts and the global counters.

  /**
   * A pull has read that the region has counted at least this much in a cell. The series does not
   * become fresh by it: that takes an answer of the origin.
   *
   * @param pullStartSeconds when the pull began
   * @return whether it changed anything, be it that a loss was detected
   */
  public boolean mergeRegional(
      long cellStartMillis, long count, int pullStartSeconds, long nowMillis) {
    roll(nowMillis, table().windowMillis());
    return merge(() -> {
      PublishedCell cell = publishedCellAt(cellStartMillis);
      boolean lost = cell != null && cell.mergePushed(count, pullStartSeconds);
      boolean raised = raiseRegional(cellStartMillis, count);
      return lost || raised;
    });
  }

  /**
   * A pull has read that another region has counted at least this much in a cell.
   *
   * @param region the number of the region
   * @return whether the count has grown
   */
  public boolean mergeImported(long cellStartMillis, int region, long count, long nowMillis) {
    roll(nowMillis, table().windowMillis());
    return merge(() -> {
      PublishedCell cell = publishedCellAt(cellStartMillis);
      long growth = cell == null ? 0 : cell.raise(region, count);
      if (growth > 0 && cell == current) {
        setOthers(others() + growth);
      } else if (growth > 0) {
        setPrevious(previous() + growth);
      }
      return growth > 0;
    });
  }

  @Override
  public void confirmPushed(long cellStartMillis, long count, int nowSeconds) {
    change(() -> {
      PublishedCell cell = publishedCellAt(cellStartMillis);
      if (cell != null) {
        cell.raisePushed(count, nowSeconds);
      }
    });
  }

  @Override
  public void rejectPushed(long cellStartMillis, long count) {
    change(() -> {
      PublishedCell cell = publishedCellAt(cellStartMillis);
      if (cell != null) {
        cell.reject(count);
      }
    });
  }

  /**
   * A full pull has ended. Counts that were pushed well before it began and were not part of it are
   * lost, and are pushed again. Cells that are over are not pulled, so they are not checked. Does
   * not rotate: an unused series would never expire.
   *
   * @param pullStartSeconds when the full pull began
   * @return whether something was lost
   */
  public boolean unpushUnlessConfirmed(int pullStartSeconds, long nowMillis) {
    boolean lost = read(() -> {
      long age = nowMillis - startMillis();
      boolean ofCurrent =
          age < 2 * table().windowMillis() && current.unpushUnlessConfirmed(pullStartSeconds);
      boolean ofPrevious =
          age < table().windowMillis() && previous.unpushUnlessConfirmed(pullStartSeconds);
      return ofCurrent || ofPrevious;
    });
    if (lost) {
      addForPush();
    }
    return lost;
  }

  @Override
  public List<RegionalCell> unpushed(long nowMillis) {
    if (lowestLimit() == 0) {
      return List.of(); // the nodes that admitted the tokens push them
    }
    roll(nowMillis, table().windowMillis());
    return read(() -> unpushedChanging(nowMillis));
  }

  private List<RegionalCell> unpushedChanging(long nowMillis) {
    assert others() >= current.imported() && previous() >= previous.imported()
        : "imported counts are part of the count of others";
    long start = startMillis();
    long windowMillis = table().windowMillis();
    long overlap = Math.max(0, SlidingWindow.overlap(nowMillis, start, windowMillis));
    long weighted = SlidingWindow.weighted(previous(), overlap, windowMillis);
    long effective = SlidingWindow.effective(own() + others(), weighted, 0);
    boolean elsewhere = current.imported() + previous.imported() > 0;
    List<RegionalCell> cells = new ArrayList<>(2);
    long ofPrevious = previous() - previous.imported();
    if (ofPrevious > previous.pushed() && nowMillis < start + windowMillis) {
      cells.add(new RegionalCell(
          previousStartMillis(),
          ofPrevious,
          previous.pushed(),
          lowestLimit(),
          effective,
          elsewhere));
    }
    long ofCurrent = own() + others() - current.imported();
    if (ofCurrent > current.pushed() && nowMillis < start + 2 * windowMillis) {
      cells.add(new RegionalCell(
          start, ofCurrent, current.pushed(), lowestLimit(), effective, elsewhere));
    }
    return cells;
  }

  // Changes under the lock. A count of a cell that is neither current nor previous is ignored.

  private @Nullable SharedCell cellAt(long cellStartMillis) {
    if (cellStartMillis == startMillis()) {
      return current;
    }
    return cellStartMillis == previousStartMillis() ? previous : null;
  }

  private @Nullable PublishedCell publishedCellAt(long cellStartMillis) {
    SharedCell cell = cellAt(cellStartMillis);
    if (cell == null) {
      return null;
    }
    PublishedCell published = cell.published();
    if (cell == current) {
      current = published;
    } else {
      previous = published;
    }
    return published;
  }

  private boolean raisePeers(List<OwnCell> cells, long[] peers) {
    boolean grown = false;
    for (int i = 0; i < peers.length; i++) {
      grown = raisePeers(cells.get(i), peers[i]) || grown;
    }
    return grown;
  }

  private boolean raisePeers(OwnCell cell, long peers) {
    boolean isCurrent = cell.startMillis() == startMillis();
    return raiseRegional(cell.startMillis(), peers + (isCurrent ? own() : previous.finalOwn()));
  }

  private boolean raiseRegional(long cellStartMillis, long count) {
    if (cellStartMillis == startMillis()) {
      long others = Math.max(0, count - own()) + current.imported();
      if (others > others()) {
        setOthers(others);
        return true;
      }
    } else if (cellStartMillis == previousStartMillis()) {
      long all = count + previous.imported();
      if (all > previous()) {
        setPrevious(all);
        return true;
      }
    }
    return false;
  }

  /**
   * Merges counts of others, unless the series was removed: its successor counts the tokens of this
   * one as a peer's, so a sum of both would count them twice.
   *
   * @param merge the change; returns whether a count has grown, which the push policy may act on
   * @return whether the series is live and a count has grown
   */
  private boolean merge(BooleanSupplier merge) {
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

  private void change(Runnable change) {
    read(() -> {
      change.run();
      return true;
    });
  }

  /** Runs under the lock, or without it if the series was removed: its counts are final then. */
  private <T> T read(Supplier<T> reading) {
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
