package io.tidegate.local;

import io.tidegate.model.Scope;
import java.util.List;

/**
 * A cell that has left its series before the origin confirmed its own count. It is a member of the
 * replay queue and of nothing else. Used by one thread at a time.
 */
final class UnconfirmedCell implements Unconfirmed {

  private final SeriesTable table;
  private final String identifier;
  private final int incarnation;
  private final long startMillis;
  private final long own;
  private volatile long confirmed;

  UnconfirmedCell(
      SeriesTable table,
      String identifier,
      int incarnation,
      long startMillis,
      long own,
      long confirmed) {
    this.table = table;
    this.identifier = identifier;
    this.incarnation = incarnation;
    this.startMillis = startMillis;
    this.own = own;
    this.confirmed = confirmed;
  }

  @Override
  public Scope scope() {
    return table.scope();
  }

  @Override
  public String identifier() {
    return identifier;
  }

  @Override
  public boolean isRemoved() {
    return true;
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

  /** Peers' counts are of no use here: the series has left the cell. */
  @Override
  public void merge(OwnCell sent, long peers, long askedElapsedMillis) {
    confirm(sent);
  }

  @Override
  public boolean unqueueOrKeep() {
    return own > confirmed;
  }
}
