package io.tidegate.local;

import java.util.List;

/**
 * A cell that has left its series, by a rebase, before its regional count was pushed. The cell lies
 * in the future, where no other node of the region may come to use it. It is a member of the push
 * queue and of nothing else. Used by one thread at a time.
 */
final class UnpushedCell extends LeftCell implements Unpushed {

  private final long count;
  private final long limit;
  private volatile boolean pushed;
  private volatile boolean queued = true;

  UnpushedCell(SeriesTable table, String identifier, long startMillis, long count, long limit) {
    super(table, identifier, startMillis);
    this.count = count;
    this.limit = limit;
  }

  @Override
  public List<RegionalCell> unpushed(long nowMillis) {
    boolean over = nowMillis >= startMillis + 2 * table.windowMillis();
    return pushed || over
        ? List.of()
        : List.of(new RegionalCell(startMillis, count, 0, limit, count, 1));
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
