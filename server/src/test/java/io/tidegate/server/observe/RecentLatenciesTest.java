package io.tidegate.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RecentLatenciesTest {

  /** Buckets up to 100 us and 200 us, and one beyond. */
  private static final long[] BOUNDS = {100_000, 200_000};

  @Test
  void quantileIsInterpolatedWithinItsBucket() {
    assertThat(RecentLatencies.micros(BOUNDS, new long[] {50, 50, 0}, 0.5)).isEqualTo(100);
    assertThat(RecentLatencies.micros(BOUNDS, new long[] {50, 50, 0}, 0.75)).isEqualTo(150);
    assertThat(RecentLatencies.micros(BOUNDS, new long[] {100, 0, 0}, 0.99)).isEqualTo(99);
  }

  @Test
  void latenciesBeyondTheBucketsCountAsTheLastBound() {
    assertThat(RecentLatencies.micros(BOUNDS, new long[] {1, 0, 99}, 0.5)).isEqualTo(200);
  }

  @Test
  void noRequestsHaveNoQuantile() {
    assertThat(RecentLatencies.micros(BOUNDS, new long[] {0, 0, 0}, 0.5))
        .isEqualTo(RecentLatencies.NONE);
  }

  @Test
  void onlyTheLastIntervalsCount() {
    AtomicReference<long[]> totals = new AtomicReference<>(new long[] {1_000, 0, 0});
    RecentLatencies recent = new RecentLatencies(BOUNDS, totals::get);
    assertThat(recent.micros(0.5)).isEqualTo(RecentLatencies.NONE);
    totals.set(new long[] {1_000, 10, 0});
    recent.endInterval();
    assertThat(recent.micros(0.5)).isEqualTo(150);
    for (int i = 0; i < 5; i++) {
      recent.endInterval();
    }
    assertThat(recent.micros(0.5)).isEqualTo(RecentLatencies.NONE);
  }
}
