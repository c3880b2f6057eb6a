package io.tidegate.local;

import java.util.List;

/**
 * A cell that has left its series before the origin confirmed its own count. It is a member of the
 * replay queue and of nothing else. Used by one thread at a time.
 */
final class UnconfirmedCell extends LeftCell implements Unconfirmed {

  private final int incarnation;
  private final long own;
  private volatile long confirmed;

  UnconfirmedCell(
      SeriesTable table,
      String identifier,
      int incarnation,
      long startMillis,
      long own,
      long confirmed) {
    super(table, identifier, startMillis);
    this.incarnation = incarnation;
    this.own = own;
    this.confirmed = confirmed;
  }

  @Override
  public List<OwnCell> unconfirmed() {
    return own > confirmed
        ? List.of(new OwnCell(this, incarnation, startMillis, own, confirmed))
        : List.of();
  }

  @Override
  public void confirm(OwnCell cell) {
    confirmed = Math.max(confirmed, cell.count());
  }

  /** Counts of others are of no use here: the series has left the cell. */
  @Override
  public void merge(OwnCell sent, CellAnswer answer, long askedElapsedMillis) {
    confirm(sent);
  }

  @Override
  public boolean unqueueOrKeep() {
    return own > confirmed;
  }
}
