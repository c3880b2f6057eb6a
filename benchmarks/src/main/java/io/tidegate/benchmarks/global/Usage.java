package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.testkit.MariaDbServer;

/** Duration of a measurement, and the CPU time of MariaDB and of this process meanwhile. */
record Usage(double seconds, double databasePercent, double processPercent) {

  static Usage during(MariaDbServer server, Runnable work) {
    double database = databaseSeconds(server);
    double process = Cpu.processSeconds();
    long startNanos = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return new Usage(
        seconds,
        100 * (databaseSeconds(server) - database) / seconds,
        100 * (Cpu.processSeconds() - process) / seconds);
  }

  private static double databaseSeconds(MariaDbServer server) {
    return server.cpuTime().toNanos() / 1e9;
  }
}
