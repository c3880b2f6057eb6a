package io.tidegate.benchmarks.load;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** CPU times, which a busy machine distorts less than elapsed times. */
public final class Cpu {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Cpu() {}

  /** CPU time of the calling thread. */
  public static long threadNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** CPU time of this process. */
  public static double processSeconds() {
    return seconds(ProcessHandle.current());
  }

  /** CPU time of a process, in steps of 10 ms on Linux. */
  public static double seconds(ProcessHandle process) {
    return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
  }
}
