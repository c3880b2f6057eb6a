package io.tidegate.local;

import io.tidegate.model.Scope;

/** A cell that has left its series and is a member of one queue until a store has its count. */
abstract class LeftCell implements Queueable {

  final SeriesTable table;
  final long startMillis;
  private final String identifier;

  LeftCell(SeriesTable table, String identifier, long startMillis) {
    this.table = table;
    this.identifier = identifier;
    this.startMillis = startMillis;
  }

  @Override
  public final Scope scope() {
    return table.scope();
  }

  @Override
  public final String identifier() {
    return identifier;
  }

  @Override
  public final boolean isRemoved() {
    return true;
  }
}
