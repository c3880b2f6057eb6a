package io.tidegate.benchmarks;

import java.util.concurrent.ConcurrentHashMap;

/**
 * The usual way to keep nodes in step without waiting for Redis, as the design that Tidegate grew
 * from has it: decide in memory, then replay every accepted request to Redis as an increment, and
 * take over what Redis counted.
 *
 * <p>A series reads Redis when it is cold or was not heard of for five seconds, and before each
 * decision while in strict mode, which a denial begins and a window ends. It has one lookup here
 * where the original has three, and no circuit breaker.
 */
final class PerRequestNode implements RegionalLimiter {

  private final ConcurrentHashMap<String, PerRequestSeries> known = new ConcurrentHashMap<>();
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
  public long known(String identifier) {
    return decide(identifier, 0);
  }

  /** The effective count with this cost, which is taken if that is within the limit. */
  private long decide(String identifier, long cost) {
    long now = System.currentTimeMillis();
    PerRequestSeries series = known.get(identifier);
    if (series == null) { // computeIfAbsent alone would lock for some that are present
      series = known.computeIfAbsent(identifier, name -> new PerRequestSeries(name, windowMillis));
    }
    PerRequestSeries.Cells cells = series.at(now);
    boolean strict = now < series.strictUntilMillis();
    cells.current().refresh(replay::read, now, strict);
    cells.previous().refresh(replay::read, now, false);
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
  public long untold() {
    return replay.untold();
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
