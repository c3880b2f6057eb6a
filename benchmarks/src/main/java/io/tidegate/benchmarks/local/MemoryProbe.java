package io.tidegate.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;

/**
 * How much heap an identifier takes that a limiter knows, its string included: the growth of the
 * live heap over many, divided by their number. To be run in a JVM of its own, by {@link Forks}.
 */
final class MemoryProbe {

  /** So many that what a limiter has only once does not show. */
  static final int IDENTIFIERS = 300_000;

  private MemoryProbe() {}

  public static void main(String[] arguments) {
    System.out.println(bytesPerIdentifier(Competitor.valueOf(arguments[0]), IDENTIFIERS));
  }

  static double bytesPerIdentifier(Competitor competitor, int identifiers) {
    Limiter limiter = competitor.create(new String[0], Quota.AMPLE);
    limiter.meet(Identifiers.identifier(0)); // loads what is loaded only once
    long before = liveBytes();
    for (int number = 1; number <= identifiers; number++) {
      limiter.meet(Identifiers.identifier(number));
    }
    long after = liveBytes();
    Reference.reachabilityFence(limiter);
    return (double) (after - before) / identifiers;
  }

  private static long liveBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
