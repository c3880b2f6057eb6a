package io.tidegate.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** CPU time, which a busy machine changes less than the time of day. */
final class Cpu {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Cpu() {}

  /** What the calling thread has taken so far. */
  static long threadNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** What this process has taken so far, in steps of 10 ms on Linux. */
  static double processSeconds() {
    return ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .map(duration -> duration.toNanos() / 1e9)
        .orElseThrow(
            () -> new IllegalStateException("this system does not tell a process's CPU time"));
  }
}
