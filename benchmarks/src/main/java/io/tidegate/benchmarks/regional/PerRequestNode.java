package io.tidegate.benchmarks.regional;

import io.tidegate.benchmarks.load.Quota;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A node of the reference design: it decides in memory, replays every admitted request to Redis as
 * an increment, and adopts the count that Redis returns.
 *
 * <p>A series reads Redis when it is cold or stale for five seconds, and before each decision in
 * strict mode, which a denial starts for the length of a window. Compared with the original it has
 * one lookup instead of three, and no circuit breaker.
 */
final class PerRequestNode implements Node {

  private final ConcurrentHashMap<String, PerRequestSeries> seriesById = new ConcurrentHashMap<>();
  private final PerRequestReplay replay;
  private final long limit;
  private final long windowMillis;

  PerRequestNode(String redisUri, Quota quota) {
    this.replay = new PerRequestReplay(redisUri, quota.window());
    this.limit = quota.tokens();
    this.windowMillis = quota.window().toMillis();
  }

  @Override
  public boolean allow(String identifier) {
    return decide(identifier, 1) <= limit;
  }

  @Override
  public long count(String identifier) {
    return decide(identifier, 0);
  }

  /** Returns the effective count including this cost, and takes the cost if the limit permits. */
  private long decide(String identifier, long cost) {
    long now = System.currentTimeMillis();
    PerRequestSeries series = seriesById.get(identifier);
    if (series == null) { // computeIfAbsent alone may lock for keys that are present
      series =
          seriesById.computeIfAbsent(identifier, name -> new PerRequestSeries(name, windowMillis));
    }
    PerRequestSeries.Cells cells = series.at(now);
    if (now < series.strictUntilMillis()) {
      cells.current().refresh(replay::read, now);
    } else {
      cells.current().refreshIfStale(replay::read, now);
    }
    cells.previous().refreshIfStale(replay::read, now);
    while (true) {
      long count = cells.current().count();
      long effective = cells.effective(count, now) + cost;
      if (effective > limit) {
        series.denied(now + windowMillis);
        return effective;
      }
      if (cost == 0) {
        return effective;
      }
      if (cells.current().add(count, cost)) {
        replay.offer(cells.current(), cost);
        return effective;
      }
    }
  }

  @Override
  public boolean hasPending() {
    return replay.hasPending();
  }

  @Override
  public long dropped() {
    return replay.dropped();
  }

  @Override
  public void close() {
    replay.close();
  }
}
