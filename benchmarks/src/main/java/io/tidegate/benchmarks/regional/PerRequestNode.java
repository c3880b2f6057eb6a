package io.tidegate.benchmarks.regional;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.tidegate.benchmarks.load.Quota;
import io.tidegate.benchmarks.load.Threads;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A node of the reference design: it decides in memory, replays every admitted request to Redis as
 * an increment, and adopts the count that Redis returns. Requests to replay wait in a bounded
 * buffer, which drops them when it is full, for workers that send one at a time.
 *
 * <p>A series reads Redis when it is cold or stale for five seconds, and before each decision in
 * strict mode, which a denial starts for the length of a window. Compared with the original it has
 * one lookup instead of three, and no circuit breaker.
 */
final class PerRequestNode implements Contender.Node {

  private static final int CAPACITY = 10_000;
  private static final int WORKERS = 8;
  private static final long READ_TIMEOUT_MILLIS = 300;
  private static final long REPLAY_TIMEOUT_MILLIS = 2_000;

  /** Windows until a cell expires: its own, the next, and one for nodes that lag behind. */
  private static final int EXPIRY_WINDOWS = 3;

  private final ConcurrentHashMap<String, Series> seriesById = new ConcurrentHashMap<>();

  /** Cells with one token each to replay. */
  private final BlockingQueue<Series.Cell> buffer = new ArrayBlockingQueue<>(CAPACITY);

  private final LongAdder pending = new LongAdder();
  private final RedisClient client;
  private final RedisAsyncCommands<String, String> redis;
  private final List<Thread> workers;
  private final long limit;
  private final long windowMillis;

  PerRequestNode(String redisUri, Quota quota) {
    this.limit = quota.tokens();
    this.windowMillis = quota.window().toMillis();
    this.client = RedisClient.create(redisUri);
    this.redis = client.connect().async();
    this.workers = IntStream.range(0, WORKERS)
        .mapToObj(i -> Threads.daemon("replay-per-request-" + i, this::work))
        .toList();
    workers.forEach(Thread::start);
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
    Series series = seriesById.get(identifier);
    if (series == null) { // computeIfAbsent alone may lock for keys that are present
      series = seriesById.computeIfAbsent(identifier, name -> new Series(name, windowMillis));
    }
    Series.Cells cells = series.at(now);
    if (now < series.strictUntilMillis) {
      cells.current().refresh(this::read, now);
    } else {
      cells.current().refreshIfStale(this::read, now);
    }
    cells.previous().refreshIfStale(this::read, now);
    while (true) {
      long count = cells.current().count.get();
      long effective = cells.effective(count, now) + cost;
      if (effective > limit) {
        series.denied(now + windowMillis);
        return effective;
      }
      if (cost == 0) {
        return effective;
      }
      if (cells.current().count.compareAndSet(count, count + cost)) {
        pending.increment();
        if (!buffer.offer(cells.current())) {
          pending.decrement();
        }
        return effective;
      }
    }
  }

  /** Reads the count of a cell; empty if Redis does not answer in time. */
  private OptionalLong read(String key) {
    try {
      String count = await(redis.get(key), READ_TIMEOUT_MILLIS);
      return OptionalLong.of(count == null ? 0 : Long.parseLong(count));
    } catch (RedisException e) {
      return OptionalLong.empty();
    }
  }

  /** Replays one token at a time until interrupted. */
  private void work() {
    try {
      while (true) {
        Series.Cell cell = buffer.take();
        try {
          long total = await(redis.incrby(cell.key, 1), REPLAY_TIMEOUT_MILLIS);
          if (total == 1) {
            await(redis.pexpire(cell.key, EXPIRY_WINDOWS * windowMillis), REPLAY_TIMEOUT_MILLIS);
          }
          cell.merge(total, System.currentTimeMillis());
        } catch (RedisException e) {
          // Dropped; the comparison of admitted tokens with those in Redis finds the loss.
        }
        pending.decrement();
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private static <T> T await(RedisFuture<T> answer, long timeoutMillis) {
    return LettuceFutures.awaitOrCancel(answer, timeoutMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  public boolean hasPending() {
    return pending.sum() > 0;
  }

  @Override
  public void close() {
    workers.forEach(Thread::interrupt);
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
  }

  /** The two cells of an identifier, and the end of its strict mode. */
  static final class Series {

    private static final long FRESH_MILLIS = 5_000;
    private static final long RETRY_MILLIS = 300;

    private final String identifier;
    private final long windowMillis;
    private volatile Cells cells;
    volatile long strictUntilMillis;

    Series(String identifier, long windowMillis) {
      this.identifier = identifier;
      this.windowMillis = windowMillis;
      this.cells = new Cells(cell(-1), cell(-2), windowMillis);
    }

    /** The cells at this time, which stay until a later window begins. */
    Cells at(long nowMillis) {
      long sequence = Math.floorDiv(nowMillis, windowMillis);
      Cells latest = cells;
      return latest.current.sequence >= sequence ? latest : roll(sequence);
    }

    private synchronized Cells roll(long sequence) {
      Cell last = cells.current;
      if (last.sequence < sequence) {
        Cell previous = last.sequence == sequence - 1 ? last : cell(sequence - 1);
        cells = new Cells(cell(sequence), previous, windowMillis);
      }
      return cells;
    }

    private Cell cell(long sequence) {
      return new Cell(identifier + ":" + sequence, sequence);
    }

    /** Extends strict mode. A race between two denials may leave the earlier end. */
    void denied(long untilMillis) {
      strictUntilMillis = Math.max(strictUntilMillis, untilMillis);
    }

    /** The cell of a time and the one before it. */
    record Cells(Cell current, Cell previous, long windowMillis) {

      /** The current count, plus the share of the previous one that the window still covers. */
      long effective(long currentCount, long nowMillis) {
        long elapsed = Math.max(0, nowMillis - current.sequence * windowMillis);
        double weight = (double) (windowMillis - elapsed) / windowMillis;
        return currentCount + (long) (previous.count.get() * weight);
      }
    }

    /** A count: the higher of what this node admitted and what Redis returned. */
    static final class Cell {

      final String key;
      final AtomicLong count = new AtomicLong();
      private final long sequence;
      private volatile long freshUntilMillis = Long.MIN_VALUE;

      private Cell(String key, long sequence) {
        this.key = key;
        this.sequence = sequence;
      }

      /** Adopts a count of Redis, which is then fresh for a while. */
      void merge(long total, long nowMillis) {
        count.accumulateAndGet(total, Math::max);
        freshUntilMillis = nowMillis + FRESH_MILLIS;
      }

      /** Reads Redis if the count is stale; other threads wait for the one that reads. */
      void refreshIfStale(Function<String, OptionalLong> redis, long nowMillis) {
        if (nowMillis >= freshUntilMillis) {
          synchronized (this) {
            if (nowMillis >= freshUntilMillis) {
              refresh(redis, nowMillis);
            }
          }
        }
      }

      /** Reads Redis. After a failure the count passes as fresh until the next attempt. */
      synchronized void refresh(Function<String, OptionalLong> redis, long nowMillis) {
        OptionalLong total = redis.apply(key);
        if (total.isPresent()) {
          merge(total.getAsLong(), nowMillis);
        } else {
          freshUntilMillis = nowMillis + RETRY_MILLIS;
        }
      }
    }
  }
}
