package io.tidegate.local;

import io.tidegate.model.CellCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a series that other nodes of the region or other regions count as well: beside the
 * counts, which of them the origin has confirmed and the global counters hold, and how long the
 * last answer of the origin stays fresh.
 *
 * <p>Own counts leave the node, regional counts (own and peers') leave the region; imported counts
 * are never sent on. Each of them only grows within its cell, so a message may be late, lost or
 * repeated. The count of others is the sum of peers' and imported counts.
 */
public final class SharedCounter extends QueuedCounter {

  /**
   * Part of the writer name under which the origin holds the own counts. Written while changing.
   */
  private volatile int incarnation;

  /**
   * Part of the own count of the current cell that the origin has confirmed. Written while
   * changing, as the next two. After the series was removed, answers still confirm, without the
   * lock: the worst case is that a count is sent once more.
   */
  private volatile long confirmed;

  /** Own count of the previous cell, and the part of it that the origin has confirmed. */
  private volatile long previousOwn;

  private volatile long previousConfirmed;

  /** What regions have exchanged of the two cells. Written while changing. */
  private volatile PublishedCell published = PublishedCell.NONE;

  private volatile PublishedCell previousPublished = PublishedCell.NONE;

  SharedCounter(SeriesTable table, String identifier, int incarnation, long startMillis) {
    super(table, identifier, startMillis);
    this.incarnation = incarnation;
  }

  @Override
  void rotating(long startMillis, long finalOwn, boolean becomesPrevious) {
    assert finalOwn >= confirmed : "confirmed " + confirmed + " of " + finalOwn;
    keepUnconfirmed(startMillis - table().windowMillis(), previousOwn, previousConfirmed);
    if (becomesPrevious) {
      endCells(finalOwn, confirmed, published);
      rotateFreshness();
    } else {
      keepUnconfirmed(startMillis, finalOwn, confirmed); // the last line that can throw
      endCells(0, 0, PublishedCell.NONE);
      resetFreshness();
    }
    forgetLimitOfCell();
  }

  /** Begins a cell without counts after a cell with these. */
  private void endCells(long finalOwn, long finalConfirmed, PublishedCell finalPublished) {
    previousOwn = finalOwn;
    previousConfirmed = finalConfirmed;
    previousPublished = finalPublished;
    confirmed = 0;
    published = PublishedCell.NONE;
    resetOthers();
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
    keepUnconfirmed(previousStartMillis, previousOwn, previousConfirmed);
    keepUnconfirmed(startMillis, own, confirmed);
    keepUnpushed(previousStartMillis, previous(), previousPublished);
    keepUnpushed(startMillis, count, published);
    PublishedCell carried = PublishedCell.carrying(count);
    PublishedCell previousCarried = PublishedCell.carrying(previous());
    incarnation = table().store().nextIncarnation();
    endCells(0, 0, previousCarried);
    published = carried;
    resetFreshness();
    setOthers(count);
    return 0;
  }

  /** Queues a cell that leaves this series before the origin has confirmed its own count. */
  private void keepUnconfirmed(long startMillis, long own, long ownConfirmed) {
    if (own > ownConfirmed && table().hasOrigin()) {
      UnconfirmedCell left =
          new UnconfirmedCell(table(), identifier(), incarnation, startMillis, own, ownConfirmed);
      table().store().unconfirmed().add(left);
    }
  }

  /** Queues a cell that leaves this series before its regional count was pushed. */
  private void keepUnpushed(long startMillis, long count, PublishedCell cell) {
    long regional = count - cell.imported();
    if (regional > cell.pushed() && lowestLimit() > 0 && table().isPublished()) {
      UnpushedCell left =
          new UnpushedCell(table(), identifier(), startMillis, regional, lowestLimit());
      table().store().unpushed().add(left);
    }
  }

  /** The counts of the current cell. Called while changing, as the next one. */
  CellCounts currentCounts() {
    return counts(own(), own() + others(), published);
  }

  CellCounts previousCounts() {
    return counts(previousOwn, previous(), previousPublished);
  }

  private static CellCounts counts(long own, long all, PublishedCell cell) {
    return new CellCounts(own, all - own - cell.imported(), cell.imported());
  }

  // Own counts and the origin.

  @Override
  long confirmedOwn() {
    return confirmed;
  }

  /** Whether no other node shares the limits, as far as this one knows. */
  public boolean isAlone() {
    return shareDivisor() == Share.ALONE;
  }

  @Override
  int shareDivisor() {
    return table().shareDivisor();
  }

  /** Sends the own count at once, so that the answer arrives before the share is spent. */
  @Override
  void halfSpent(long nowMillis) {
    table().store().listener().refreshWanted(this, nowMillis);
  }

  @Override
  boolean hasUnconfirmed() {
    return read(() -> previousOwn > previousConfirmed || own() > confirmed);
  }

  @Override
  public List<OwnCell> unconfirmed() {
    return read(() -> {
      List<OwnCell> cells = new ArrayList<>(2);
      if (previousOwn > previousConfirmed) {
        cells.add(previousCell());
      }
      if (own() > confirmed) {
        cells.add(currentCell());
      }
      return cells;
    });
  }

  /** The start of the current cell, rotated to this time; any time if the series was removed. */
  public long startMillis(long nowMillis) {
    return roll(nowMillis, table().windowMillis());
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
    return new OwnCell(this, incarnation, startMillis(), own(), confirmed);
  }

  private OwnCell previousCell() {
    return new OwnCell(this, incarnation, previousStartMillis(), previousOwn, previousConfirmed);
  }

  /** Whether the origin has confirmed some of the own counts. */
  public boolean hasConfirmed() {
    return confirmed != 0 || previousConfirmed != 0;
  }

  /** Confirms, also after the series was removed: its own counts are still sent. */
  @Override
  public void confirm(OwnCell cell) {
    change(() -> confirmChanging(cell));
  }

  private void confirmChanging(OwnCell cell) {
    if (cell.incarnation() != incarnation) {
      return;
    }
    if (cell.startMillis() == startMillis()) {
      confirmed = Math.max(confirmed, cell.count());
    } else if (cell.startMillis() == previousStartMillis()) {
      previousConfirmed = Math.max(previousConfirmed, cell.count());
    }
  }

  /** The origin may have lost what it confirmed. */
  public void unconfirm() {
    change(() -> {
      confirmed = 0;
      previousConfirmed = 0;
    });
  }

  /** A removed series only confirms. */
  @Override
  public void merge(OwnCell sent, CellAnswer answer, long askedElapsedMillis) {
    if (isRemoved()) {
      confirm(sent);
      return;
    }
    merge(() -> {
      boolean grown = raise(sent, answer, askedElapsedMillis); // before the series becomes fresh
      keepFresh(sent.startMillis(), askedElapsedMillis);
      confirmChanging(sent); // after the peers' count: it allows this node to spend more
      return grown;
    });
  }

  /**
   * The origin has answered to a read of some cells.
   *
   * @param asked the cells
   * @param answers what it holds of each of them
   * @param askedElapsedMillis when the read began, in elapsed time
   */
  public void mergeAll(List<OwnCell> asked, List<CellAnswer> answers, long askedElapsedMillis) {
    merge(() -> raise(asked, answers, askedElapsedMillis));
  }

  /**
   * The origin has answered to a read of both cells, which makes the series fresh.
   *
   * @param asked both cells, the current one first
   * @param answers what it holds of each of them
   * @param askedMillis when the read began, by the clock
   * @param askedElapsedMillis when the read began, in elapsed time
   */
  public void refresh(
      List<OwnCell> asked, List<CellAnswer> answers, long askedMillis, long askedElapsedMillis) {
    merge(() -> {
      boolean grown = raise(asked, answers, askedElapsedMillis); // before the series becomes fresh
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
      return cell != null && addImported(cell, cell.raise(region, count));
    });
  }

  @Override
  public void confirmPushed(long cellStartMillis, long count, int nowSeconds) {
    changePublished(cellStartMillis, cell -> cell.raisePushed(count, nowSeconds));
  }

  @Override
  public void rejectPushed(long cellStartMillis, long count) {
    changePublished(cellStartMillis, cell -> cell.reject(count));
  }

  private void changePublished(long cellStartMillis, Consumer<PublishedCell> change) {
    change(() -> Optional.ofNullable(publishedCellAt(cellStartMillis)).ifPresent(change));
  }

  /**
   * A pull of all counts of this region has ended. Counts that were pushed well before it began and
   * were not part of it are lost, and are pushed again. Cells that are over are not pulled, so they
   * are not checked. Does not rotate: an unused series would never expire.
   *
   * @param pullStartSeconds when the pull began
   * @return whether something was lost
   */
  public boolean unpushUnlessConfirmed(int pullStartSeconds, long nowMillis) {
    boolean lost = read(() -> {
      long age = nowMillis - startMillis();
      boolean ofCurrent =
          age < 2 * table().windowMillis() && published.unpushUnlessConfirmed(pullStartSeconds);
      boolean ofPrevious =
          age < table().windowMillis() && previousPublished.unpushUnlessConfirmed(pullStartSeconds);
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
    assert others() >= published.imported() && previous() >= previousPublished.imported()
        : "imported counts are part of the count of others";
    long start = startMillis();
    long windowMillis = table().windowMillis();
    long overlap = Math.max(0, SlidingWindow.overlap(nowMillis, start, windowMillis));
    long weighted = SlidingWindow.weighted(previous(), overlap, windowMillis);
    long effective = SlidingWindow.effective(own() + others(), weighted, 0);
    int regions = 1 + Math.max(published.regions(), previousPublished.regions());
    List<RegionalCell> cells = new ArrayList<>(2);
    long ofPrevious = previous() - previousPublished.imported();
    if (ofPrevious > previousPublished.pushed() && nowMillis < start + windowMillis) {
      cells.add(new RegionalCell(
          previousStartMillis(),
          ofPrevious,
          previousPublished.pushed(),
          lowestLimit(),
          effective,
          regions));
    }
    long ofCurrent = own() + others() - published.imported();
    if (ofCurrent > published.pushed() && nowMillis < start + 2 * windowMillis) {
      cells.add(new RegionalCell(
          start, ofCurrent, published.pushed(), lowestLimit(), effective, regions));
    }
    return cells;
  }

  // Changes under the lock. A count of a cell that is neither current nor previous is ignored.

  private @Nullable PublishedCell publishedCellAt(long cellStartMillis) {
    if (cellStartMillis == startMillis()) {
      published = published.orNew();
      return published;
    }
    if (cellStartMillis == previousStartMillis()) {
      previousPublished = previousPublished.orNew();
      return previousPublished;
    }
    return null;
  }

  private boolean raise(List<OwnCell> cells, List<CellAnswer> answers, long askedElapsedMillis) {
    boolean grown = false;
    for (int i = 0; i < cells.size(); i++) {
      grown = raise(cells.get(i), answers.get(i), askedElapsedMillis) || grown;
    }
    return grown;
  }

  private boolean raise(OwnCell cell, CellAnswer answer, long askedElapsedMillis) {
    long start = cell.startMillis();
    boolean imported = raisePublished(start, answer, askedElapsedMillis);
    long own = start == startMillis() ? own() : previousOwn;
    long regional = Math.max(answer.peers() + own, answer.pushed()); // if the origin lost counts
    return raiseRegional(start, regional) || imported;
  }

  private boolean raisePublished(long cellStartMillis, CellAnswer answer, long elapsedMillis) {
    if (!table().isPublished() || (answer.regions() == 0 && answer.pushed() == 0)) {
      return false;
    }
    PublishedCell cell = publishedCellAt(cellStartMillis);
    if (cell == null) {
      return false;
    }
    cell.raisePushedByPeers(answer.pushed(), (int) (elapsedMillis / 1_000));
    return addImported(cell, cell.raiseAll(answer.imported(), answer.regions()));
  }

  private boolean addImported(PublishedCell cell, long growth) {
    if (growth > 0 && cell == published) {
      setOthers(others() + growth);
    } else if (growth > 0) {
      setPrevious(previous() + growth);
    }
    return growth > 0;
  }

  private boolean raiseRegional(long cellStartMillis, long count) {
    if (cellStartMillis == startMillis()) {
      long others = Math.max(0, count - own()) + published.imported();
      if (others > others()) {
        setOthers(others);
        return true;
      }
    } else if (cellStartMillis == previousStartMillis()) {
      long all = count + previousPublished.imported();
      if (all > previous()) {
        setPrevious(all);
        return true;
      }
    }
    return false;
  }
}
