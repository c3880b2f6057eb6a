package io.tidegate.local;

import java.util.List;

/** A series, or a cell that has left one, with own counts that the origin has not confirmed. */
public sealed interface Unconfirmed extends Queueable permits QueuedCounter, UnconfirmedCell {

  /** The cells with unconfirmed own counts, oldest first. */
  List<OwnCell> unconfirmed();

  /** The origin holds the own count of this cell, or will never receive it. */
  void confirm(OwnCell cell);

  /**
   * The origin has answered to a replay.
   *
   * @param sent the own count that was sent
   * @param answer what it holds of the cell
   * @param askedElapsedMillis when the count was sent, in elapsed time
   */
  void merge(OwnCell sent, CellAnswer answer, long askedElapsedMillis);

  /**
   * Ends the membership in the queue.
   *
   * @return whether it has to be queued again, for counts that came meanwhile; it counts as queued
   *     then
   */
  boolean unqueueOrKeep();
}
