package io.tidegate.benchmarks.local;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.Quota;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;

/**
 * Measures the heap per identifier that a limiter holds, its string included: the growth of the
 * live heap, divided by the number of identifiers. {@link Forks} runs it in a JVM of its own.
 */
final class MemoryProbe {

  /** Enough to make the fixed size of a limiter negligible. */
  static final int IDENTIFIERS = 300_000;

  private MemoryProbe() {}

  public static void main(String[] arguments) {
    System.out.println(bytesPerIdentifier(Competitor.valueOf(arguments[0]), IDENTIFIERS));
  }

  static double bytesPerIdentifier(Competitor competitor, int identifiers) {
    Limiter limiter = competitor.create(new String[0], Quota.AMPLE);
    try {
      limiter.meet(Identifiers.identifier(0)); // loads classes
      long before = liveBytes();
      for (int number = 1; number <= identifiers; number++) {
        limiter.meet(Identifiers.identifier(number));
      }
      return (double) (liveBytes() - before) / identifiers;
    } finally {
      Reference.reachabilityFence(limiter);
    }
  }

  private static long liveBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
