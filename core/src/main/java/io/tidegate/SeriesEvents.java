package io.tidegate;

import io.tidegate.local.SeriesStore;
import io.tidegate.local.SharedCounter;
import io.tidegate.model.Scope;
import io.tidegate.regional.Refresher;
import io.tidegate.spi.LimiterObserver;
import org.jspecify.annotations.Nullable;

/**
 * Passes the events of series to the observer, and requests for reads to the regional layer.
 *
 * @param refresher null without an origin, where no series is ever unsure
 */
record SeriesEvents(LimiterObserver observer, @Nullable Refresher refresher)
    implements SeriesStore.Listener {

  @Override
  public void strictModeEntered(Scope scope, String identifier) {
    observer.strictModeEntered(scope, identifier);
  }

  @Override
  public void liveSeriesEvicted(Scope scope, String identifier) {
    observer.liveSeriesEvicted(scope, identifier);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // never fails, and no request waits for it
  public void refreshWanted(SharedCounter counter, long nowMillis) {
    if (refresher != null) {
      refresher.refresh(counter, nowMillis);
    }
  }
}
