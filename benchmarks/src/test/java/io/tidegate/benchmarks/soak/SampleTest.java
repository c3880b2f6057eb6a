package io.tidegate.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SampleTest {

  @Test
  void readsTheMetricsOfAServer() {
    String metrics = """
        # TYPE jvm_memory_used_bytes gauge
        jvm_memory_used_bytes{area="heap",id="Eden Space"} 9.9E7
        jvm_memory_used_bytes{area="heap",id="Survivor Space"} 1.0E6
        jvm_memory_used_bytes{area="heap",id="Tenured Gen"} 2.0E8
        jvm_memory_used_bytes{area="nonheap",id="Metaspace"} 5.0E7
        jvm_gc_pause_seconds_sum{action="end of minor GC",cause="x"} 1.5
        jvm_gc_pause_seconds_sum{action="end of major GC",cause="x"} 0.25
        jvm_gc_pause_seconds_max{action="end of minor GC",cause="x"} 0.01
        jvm_gc_pause_seconds_max{action="end of major GC",cause="x"} 0.2
        process_files_open_files 120.0
        jvm_threads_live_threads 21.0
        tidegate_ratelimit_series 700000.0
        tidegate_ratelimit_series_created_total 9000000.0
        tidegate_ratelimit_unconfirmed_series 12.0
        """;
    assertThat(Sample.of(30, 5e8, metrics.lines().toList()))
        .isEqualTo(new Sample(30, 5e8, 201e6, 1.75, 0.2, 120, 21, 700_000, 12));
  }
}
