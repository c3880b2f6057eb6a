package io.tidegate.local;

import io.tidegate.model.Scope;

/** A series, or a cell of one, with counts that a store has still to receive. */
public interface Queueable {

  Scope scope();

  String identifier();

  /** Whether the series was evicted or expired, or the cell has left it. */
  boolean isRemoved();
}
