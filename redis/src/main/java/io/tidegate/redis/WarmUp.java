package io.tidegate.redis;

import io.lettuce.core.RedisException;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
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
 * Sends commands that change nothing before the first requests do.
 *
 * <p>A JVM loads, interprets and compiles the code of a first command; a rush of requests right
 * after the start then takes longer for its reads than it waits for them, and is decided from
 * memory. The warm-up also connects to every master of a cluster, and gives each the script.
 */
final class WarmUp {

  private static final System.Logger LOG = System.getLogger("io.tidegate.redis");

  /** Enough for the JVM to compile the code: 2,000 calls of each method on the way. */
  private static final int ROUNDS = 20;

  /** Series of a round: enough for some to be on each master of a large cluster. */
  private static final int SERIES = 100;

  /** It takes some 0.7 s of CPU, a third of what connecting takes; a busy machine is not done. */
  private static final Duration BOUND = Duration.ofSeconds(2);

  private static final Writer WRITER = new Writer("warm-up", "warm-up");
  private static final Scope SCOPE = new Scope("tidegate", "warm-up", 1_000);

  private WarmUp() {}

  static void run(Link link) {
    long deadlineNanos = System.nanoTime() + BOUND.toNanos();
    try {
      for (int round = 0; round < ROUNDS; round++) {
        CompletableFuture<?>[] answers = IntStream.range(0, SERIES)
            .mapToObj(i -> readAndRaise(link, new WindowCell(new Series(SCOPE, "" + i), 0)))
            .toArray(CompletableFuture[]::new);
        long leftNanos = deadlineNanos - System.nanoTime();
        CompletableFuture.allOf(answers).get(leftNanos, TimeUnit.NANOSECONDS);
      }
    } catch (TimeoutException e) {
      LOG.log(Level.DEBUG, "The warm-up was cut short after {0} ms", BOUND.toMillis());
    } catch (ExecutionException | RedisException e) { // requests will report it, if it lasts
      LOG.log(Level.DEBUG, "The warm-up failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One call each, as requests do it. */
  private static CompletableFuture<Void> readAndRaise(Link link, WindowCell cell) {
    Pipeline reading = new Pipeline(link);
    List<CompletableFuture<RegionalCount>> counts =
        List.of(Cells.read(reading, WRITER, cell), Cells.read(reading, WRITER, cell.previous()));
    reading.send();
    Pipeline raising = new Pipeline(link);
    CompletableFuture<RegionalCount> raised = Cells.raise(raising, WRITER, cell, 0);
    raising.send();
    return CompletableFuture.allOf(counts.get(0), counts.get(1), raised);
  }
}
