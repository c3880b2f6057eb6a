package io.tidegate.redis;

import io.lettuce.core.RedisException;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.Writer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * Sends commands without effect before the first request does.
 *
 * <p>A JVM loads, interprets and compiles the code of its first commands. Without a warm-up, reads
 * right after the start take longer than requests wait for them, and those requests are decided
 * from memory. The warm-up also connects to every master of a cluster, and loads the script there.
 */
final class WarmUp {

  private static final System.Logger LOG = System.getLogger("io.tidegate.redis");

  /** Enough for the JVM to compile the code: 2,000 calls of each method. */
  private static final int ROUNDS = 20;

  /** Series per round: enough to reach each master of a large cluster. */
  private static final int SERIES = 100;

  /** A warm-up takes some 0.7 s of CPU time; a busy machine stops before it is complete. */
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final Writer WRITER = new Writer("warm-up", "warm-up");
  private static final Scope SCOPE = new Scope("tidegate", "warm-up", 1_000);

  private WarmUp() {}

  static void run(ManagedConnection connection) {
    long deadlineNanos = System.nanoTime() + TIMEOUT.toNanos();
    try {
      for (int round = 0; round < ROUNDS; round++) {
        CompletableFuture<?>[] answers = IntStream.range(0, SERIES)
            .mapToObj(i -> readAndRaise(connection, new WindowCell(new Series(SCOPE, "" + i), 0)))
            .toArray(CompletableFuture[]::new);
        long leftNanos = deadlineNanos - System.nanoTime();
        CompletableFuture.allOf(answers).get(leftNanos, TimeUnit.NANOSECONDS);
      }
    } catch (TimeoutException e) {
      LOG.log(Level.DEBUG, "Stopped the warm-up after {0} ms", TIMEOUT.toMillis());
    } catch (ExecutionException | RedisException e) { // requests report a failure that lasts
      LOG.log(Level.DEBUG, "Warm-up failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends one read and one raise, in the same way as requests do. */
  private static CompletableFuture<Void> readAndRaise(
      ManagedConnection connection, WindowCell cell) {
    Pipeline reading = new Pipeline(connection);
    OwnCount nothing = new OwnCount(WRITER, cell, 0);
    List<CompletableFuture<RegionalCount>> counts = List.of(
        CellStore.read(reading, nothing),
        CellStore.read(reading, new OwnCount(WRITER, cell.previous(), 0)));
    reading.send();
    Pipeline raising = new Pipeline(connection);
    CompletableFuture<RegionalCount> raised = CellStore.raise(raising, nothing);
    raising.send();
    return CompletableFuture.allOf(counts.get(0), counts.get(1), raised);
  }
}
