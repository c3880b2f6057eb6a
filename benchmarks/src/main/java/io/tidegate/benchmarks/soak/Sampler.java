package io.tidegate.benchmarks.soak;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;

import io.tidegate.benchmarks.load.Threads;
import io.tidegate.benchmarks.load.TidegateProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Samples the server at fixed intervals for some time, and prints its progress. */
final class Sampler implements Callable<List<Sample>> {

  private static final int PROGRESS_SECONDS = 10;

  private final TidegateProcess server;
  private final Admin admin;
  private final long startNanos;
  private final int seconds;

  Sampler(TidegateProcess server, Admin admin, long startNanos, int seconds) {
    this.server = server;
    this.admin = admin;
    this.startNanos = startNanos;
    this.seconds = seconds;
  }

  @Override
  public List<Sample> call() throws IOException {
    List<Sample> samples = new ArrayList<>();
    for (int due = 0; due <= seconds; due += Settings.SAMPLE_SECONDS) {
      Threads.sleepUntil(startNanos + due * 1_000_000_000L);
      double second = (System.nanoTime() - startNanos) / 1e9;
      Sample sample = Sample.of(second, server.residentBytes(), admin.metrics());
      samples.add(sample);
      if (due % PROGRESS_SECONDS == 0) {
        print(sample);
      }
    }
    return samples;
  }

  private void print(Sample sample) {
    System.err.printf(
        "soak: %s of %d s; %s series, %s MB resident, %s MB of heap, %s connections and files,"
            + " %s unconfirmed series%s%n",
        COUNT.of(sample.second()),
        seconds,
        COUNT.of(sample.series()),
        FIGURE.of(sample.residentBytes() / 1e6),
        FIGURE.of(sample.heapBytes() / 1e6),
        COUNT.of(sample.files()),
        COUNT.of(sample.unconfirmed()),
        healthy() ? "" : ", degraded");
  }

  private boolean healthy() {
    try {
      return admin.isHealthy();
    } catch (IOException e) {
      return false;
    }
  }
}
