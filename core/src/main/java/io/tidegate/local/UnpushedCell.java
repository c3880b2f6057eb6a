package io.tidegate.local;

import io.tidegate.model.Scope;
import java.util.List;

/**
 * A cell that has left its series, by a rebase, before its regional count was pushed. The cell lies
 * in the future, where no other node of the region may come to use it. It is a member of the push
 * queue and of nothing else. Used by one thread at a time.
 */
final class UnpushedCell implements Unpushed {

  private final SeriesTable table;
  private final String identifier;
  private final long startMillis;
  private final long count;
  private final long limit;
  private volatile boolean pushed;
  private volatile boolean queued = true;

  UnpushedCell(SeriesTable table, String identifier, long startMillis, long count, long limit) {
    this.table = table;
    this.identifier = identifier;
    this.startMillis = startMillis;
    this.count = count;
    this.limit = limit;
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
  public List<RegionalCell> unpushed(long nowMillis) {
    boolean over = nowMillis >= startMillis + 2 * table.windowMillis();
    return pushed || over
        ? List.of()
        : List.of(new RegionalCell(startMillis, count, 0, limit, count, false));
  }

  @Override
  public void confirmPushed(long cellStartMillis, long confirmedCount, int nowSeconds) {
    pushed = true;
  }

  @Override
  public void rejectPushed(long cellStartMillis, long rejectedCount) {
    pushed = true;
  }

  @Override
  public boolean queueForPush() {
    boolean joins = !queued;
    queued = true;
    return joins;
  }

  @Override
  public void unqueueForPush() {
    queued = false;
  }
}
