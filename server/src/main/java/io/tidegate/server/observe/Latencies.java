package io.tidegate.server.observe;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long something takes, in buckets, by one label; an empty label means that there is none.
 *
 * <p>Not a Micrometer timer: that reads the clock for every record and keeps maxima that nobody can
 * add up over nodes, for five times the price.
 */
final class Latencies implements Collector {

  /** From a Redis next door to a database far away and in trouble. */
  static final double[] CALL_BOUNDS_SECONDS = {
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2, 3, 5, 10
  };

  private static final double NANOS_PER_SECOND = 1e9;

  private final String name;
  private final String help;
  private final String label;
  private final double[] boundsSeconds;
  private final long[] boundsNanos;
  private final Map<String, Latency> byLabel = new ConcurrentSkipListMap<>();

  /** @param boundsSeconds the greatest latency of each bucket but the last, ascending */
  Latencies(String name, String help, String label, double... boundsSeconds) {
    this.name = name;
    this.help = help;
    this.label = label;
    this.boundsSeconds = new double[boundsSeconds.length + 1];
    this.boundsNanos = new long[boundsSeconds.length];
    for (int i = 0; i < boundsSeconds.length; i++) {
      this.boundsSeconds[i] = boundsSeconds[i];
      this.boundsNanos[i] = Math.round(boundsSeconds[i] * NANOS_PER_SECOND);
    }
    this.boundsSeconds[boundsSeconds.length] = Double.POSITIVE_INFINITY;
  }

  /** The latencies under one value of the label, to be held by whoever records them. */
  Latency of(String value) {
    return byLabel.computeIfAbsent(value, missing -> new Latency(boundsNanos));
  }

  @Override
  public HistogramSnapshot collect() {
    HistogramSnapshot.Builder family = HistogramSnapshot.builder().name(name).help(help);
    byLabel.forEach((value, latency) -> family.dataPoint(HistogramDataPointSnapshot.builder()
        .labels(label.isEmpty() ? Labels.EMPTY : Labels.of(label, value))
        .classicHistogramBuckets(ClassicHistogramBuckets.of(boundsSeconds, latency.counts()))
        .sum(latency.sumNanos.sum() / NANOS_PER_SECOND)
        .build()));
    return family.build();
  }

  @Override
  public MetricFamilyDescriptor getMetricFamilyDescriptor() {
    return MetricFamilyDescriptor.histogram(name).help(help).build();
  }

  /** How long one thing takes. Any thread may record. */
  static final class Latency {

    private final long[] boundsNanos;
    private final LongAdder[] buckets;
    private final LongAdder sumNanos = new LongAdder();

    private Latency(long[] boundsNanos) {
      this.boundsNanos = boundsNanos;
      this.buckets = new LongAdder[boundsNanos.length + 1];
      for (int i = 0; i < buckets.length; i++) {
        buckets[i] = new LongAdder();
      }
    }

    void record(long nanos) {
      int bucket = 0;
      while (bucket < boundsNanos.length && nanos > boundsNanos[bucket]) {
        bucket++; // most are fast, so most are found at once
      }
      buckets[bucket].increment();
      sumNanos.add(Math.max(0, nanos));
    }

    /** How many were recorded. */
    long count() {
      long count = 0;
      for (LongAdder bucket : buckets) {
        count += bucket.sum();
      }
      return count;
    }

    private long[] counts() {
      long[] counts = new long[buckets.length];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = buckets[i].sum();
      }
      return counts;
    }
  }
}
