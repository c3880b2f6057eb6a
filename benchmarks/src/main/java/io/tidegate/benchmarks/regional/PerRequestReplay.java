package io.tidegate.benchmarks.regional;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Replays the requests of a {@link PerRequestNode}: a bounded buffer, which drops requests when it
 * is full, and workers that send one request at a time and wait for the answer.
 */
final class PerRequestReplay implements AutoCloseable {

  private static final int CAPACITY = 10_000;
  private static final int WORKERS = 8;
  private static final long READ_TIMEOUT_MILLIS = 300;
  private static final long REPLAY_TIMEOUT_MILLIS = 2_000;

  /** Windows until a cell expires: its own, the next, and one for nodes that lag behind. */
  private static final int EXPIRY_WINDOWS = 3;

  private record Event(PerRequestSeries.Cell cell, long cost) {}

  private final BlockingQueue<Event> buffer = new ArrayBlockingQueue<>(CAPACITY);
  private final LongAdder pending = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final List<Thread> workers = new ArrayList<>();
  private final RedisClient client;
  private final RedisAsyncCommands<String, String> redis;
  private final long expiryMillis;

  PerRequestReplay(String redisUri, Duration window) {
    this.expiryMillis = EXPIRY_WINDOWS * window.toMillis();
    this.client = RedisClient.create(redisUri);
    this.redis = client.connect().async();
    for (int i = 0; i < WORKERS; i++) {
      Thread worker = new Thread(this::work, "replay-per-request-" + i);
      worker.setDaemon(true);
      worker.start();
      workers.add(worker);
    }
  }

  /** Reads the count of a cell; empty if Redis does not answer in time. */
  OptionalLong read(String key) {
    try {
      String count = await(redis.get(key), READ_TIMEOUT_MILLIS);
      return OptionalLong.of(count == null ? 0 : Long.parseLong(count));
    } catch (ExecutionException | TimeoutException | RedisException e) {
      return OptionalLong.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalLong.empty();
    }
  }

  void offer(PerRequestSeries.Cell cell, long cost) {
    pending.increment();
    if (!buffer.offer(new Event(cell, cost))) {
      pending.decrement();
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
          dropped.add(event.cost); // may be wrong: Redis may have counted it before the failure
        }
        pending.decrement();
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
      await(redis.pexpire(key, expiryMillis), REPLAY_TIMEOUT_MILLIS);
    }
    event.cell.merge(total, System.currentTimeMillis());
  }

  private static <T> T await(Future<T> answer, long timeoutMillis)
      throws InterruptedException, ExecutionException, TimeoutException {
    return answer.get(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  boolean hasPending() {
    return pending.sum() > 0;
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
