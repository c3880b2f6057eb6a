package io.tidegate.benchmarks;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/**
 * The way to Redis of {@link PerRequestNode}: a bounded buffer, which drops what does not fit, and
 * workers that send one event at a time and wait for its answer.
 */
final class PerRequestReplay implements AutoCloseable {

  private static final int CAPACITY = 10_000;
  private static final int WORKERS = 8;
  private static final long READ_TIMEOUT_MILLIS = 300;
  private static final long REPLAY_TIMEOUT_MILLIS = 2_000;

  /** A cell is needed in its own window and the next, and a while by nodes that are behind. */
  private static final int LIFE_WINDOWS = 3;

  private record Event(PerRequestSeries.Cell cell, long cost) {}

  private final BlockingQueue<Event> buffer = new ArrayBlockingQueue<>(CAPACITY);
  private final LongAdder untold = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final List<Thread> workers = new ArrayList<>();
  private final RedisClient client;
  private final RedisAsyncCommands<String, String> redis;
  private final long lifeMillis;

  PerRequestReplay(String redisUri, Duration window) {
    this.lifeMillis = LIFE_WINDOWS * window.toMillis();
    this.client = RedisClient.create(redisUri);
    this.redis = client.connect().async();
    for (int i = 0; i < WORKERS; i++) {
      Thread worker = new Thread(this::work, "replay-per-request-" + i);
      worker.setDaemon(true);
      worker.start();
      workers.add(worker);
    }
  }

  /** What Redis holds of a cell, negative if it does not say so in time. */
  long read(String key) {
    try {
      String count = await(redis.get(key), READ_TIMEOUT_MILLIS);
      return count == null ? 0 : Long.parseLong(count);
    } catch (ExecutionException | TimeoutException | RedisException e) {
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  void offer(PerRequestSeries.Cell cell, long cost) {
    untold.increment();
    if (!buffer.offer(new Event(cell, cost))) {
      untold.decrement();
      dropped.add(cost);
    }
  }

  private void work() {
    try {
      while (true) {
        Event event = buffer.take();
        try {
          replay(event);
        } catch (ExecutionException | TimeoutException | RedisException e) {
          dropped.add(event.cost); // perhaps: Redis may have counted it, and nobody knows
        }
        untold.decrement();
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private void replay(Event event)
      throws InterruptedException, ExecutionException, TimeoutException {
    String key = event.cell.key();
    long total = await(redis.incrby(key, event.cost), REPLAY_TIMEOUT_MILLIS);
    if (total == event.cost) {
      await(redis.pexpire(key, lifeMillis), REPLAY_TIMEOUT_MILLIS);
    }
    event.cell.merge(total, System.currentTimeMillis());
  }

  private static <T> T await(Future<T> answer, long timeoutMillis)
      throws InterruptedException, ExecutionException, TimeoutException {
    return answer.get(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  long untold() {
    return untold.sum();
  }

  long dropped() {
    return dropped.sum();
  }

  @Override
  public void close() {
    workers.forEach(Thread::interrupt);
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
  }
}
