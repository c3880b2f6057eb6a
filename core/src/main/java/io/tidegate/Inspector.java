package io.tidegate;

import io.tidegate.global.GlobalLayer;
import io.tidegate.local.SeriesStore;
import io.tidegate.model.Series;
import io.tidegate.regional.Refresher;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads what is known of a series, without changing it. */
final class Inspector {

  private final SeriesStore store;
  private final @Nullable Refresher refresher; // null without an origin
  private final @Nullable GlobalLayer global; // null without global counters
  private final String region;
  private final String node;
  private final InstantSource clock;

  Inspector(
      SeriesStore store,
      @Nullable Refresher refresher,
      @Nullable GlobalLayer global,
      String region,
      String node,
      InstantSource clock) {
    this.store = store;
    this.refresher = refresher;
    this.global = global;
    this.region = region;
    this.node = node;
    this.clock = clock;
  }

  CompletionStage<SeriesInspection> inspect(Series series) {
    throw new UnsupportedOperationException("not written yet: " + series);
  }
}
