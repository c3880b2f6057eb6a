package io.tidegate.benchmarks.local;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.Quota;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.benchmarks.local.Competitor.Limiter;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The growth of the live heap by identifiers that a limiter stores, with their strings. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
public class MemoryBenchmark {

  /** Enough to make the fixed size of a limiter negligible. */
  static final int IDENTIFIERS = 300_000;

  @Param
  @SuppressWarnings("NullAway.Init") // set by JMH
  public Competitor competitor;

  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Heap {
    public long bytes;
  }

  /** Returns the limiter, so that it stays reachable. */
  @Benchmark
  public Object store(Heap growth) {
    Limiter limiter = competitor.create.apply(new String[0], Quota.AMPLE);
    limiter.meet().accept(Identifiers.identifier(0)); // loads classes
    long before = liveBytes();
    for (int number = 1; number <= IDENTIFIERS; number++) {
      limiter.meet().accept(Identifiers.identifier(number));
    }
    while (!limiter.isSettled().getAsBoolean()) {
      Threads.sleep(1);
    }
    growth.bytes = liveBytes() - before;
    return limiter;
  }

  private static long liveBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
