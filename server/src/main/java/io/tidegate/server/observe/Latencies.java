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
 * Histogram of latencies by one label; an empty label name means no label.
 *
 * <p>Recording takes two adders. A Micrometer timer costs about five times as much: it reads the
 * clock for every record and keeps maxima, which cannot be aggregated over nodes.
 */
final class Latencies implements Collector {

  private static final double NANOS_PER_SECOND = 1e9;

  private final String name;
  private final String help;
  private final String label;
  private final double[] boundsSeconds;
  private final long[] boundsNanos;
  private final Map<String, Latency> byLabel = new ConcurrentSkipListMap<>();

  /**
   * A histogram without records.
   *
   * @param boundsSeconds upper bounds of all buckets but the last, ascending
   */
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

  /** Returns the latencies under one value of the label, which the recording class keeps. */
  Latency of(String value) {
    return byLabel.computeIfAbsent(value, missing -> new Latency(boundsNanos));
  }

  /** The upper bounds of all buckets but the last. */
  long[] boundsNanos() {
    return boundsNanos.clone();
  }

  /** The number of records in each bucket, over all values of the label. */
  long[] totals() {
    long[] totals = new long[boundsNanos.length + 1];
    for (Latency latency : byLabel.values()) {
      long[] counts = latency.counts();
      for (int i = 0; i < totals.length; i++) {
        totals[i] += counts[i];
      }
    }
    return totals;
  }

  @Override
  public HistogramSnapshot collect() {
    HistogramSnapshot.Builder family = HistogramSnapshot.builder().name(name).help(help);
    byLabel.forEach((value, latency) -> family.dataPoint(HistogramDataPointSnapshot.builder()
        .labels(label.isEmpty() ? Labels.EMPTY : Labels.of(label, value))
        .classicHistogramBuckets(ClassicHistogramBuckets.of(boundsSeconds, latency.counts()))
        .sum(latency.sumNanos() / NANOS_PER_SECOND)
        .build()));
    return family.build();
  }

  @Override
  public MetricFamilyDescriptor getMetricFamilyDescriptor() {
    return MetricFamilyDescriptor.histogram(name).help(help).build();
  }

  /** Latencies under one value of the label. Any thread may record. */
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
        bucket++; // a linear search: most latencies are in the first buckets
      }
      buckets[bucket].increment();
      sumNanos.add(Math.max(0, nanos));
    }

    /** Sum of the records. */
    long sumNanos() {
      return sumNanos.sum();
    }

    /** Number of records. */
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
