package io.tidegate.regional;

import io.tidegate.local.SeriesStore;
import io.tidegate.local.SharedCounter;
import io.tidegate.local.SharedCounter.OwnCell;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import io.tidegate.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * Notices when the origin has lost its memory, and tells it again all that this node counted.
 *
 * <p>Any answer may show it: one that holds less of this node's count than was confirmed. So that
 * it shows without traffic too, a few series are read now and then; a few each time, because of a
 * cluster one part may be lost.
 */
final class Patrol {

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  /** Reads every so often, of so many series, found among so many: 40 reads a second. */
  private static final long INTERVAL_NANOS = Duration.ofMillis(100).toNanos();

  private static final int SERIES = 4;
  private static final int MOST_LOOKED_AT = 256;

  /** How long one walk over the series may go on; it holds on to what it walks over. */
  private static final long WALK_NANOS = Duration.ofSeconds(10).toNanos();

  /** Telling all takes a while, and what comes back meanwhile shows the same loss again. */
  private static final long RETELL_NANOS = Duration.ofSeconds(1).toNanos();

  private final SeriesStore store;
  private final Origin origin;
  private final Replayer replayer;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final LimiterObserver observer;

  private Iterator<SharedCounter> walk = Collections.emptyIterator();
  private long walkedFromNanos;
  private long lookedNanos;
  private long retoldNanos;

  Patrol(
      SeriesStore store,
      Origin origin,
      Replayer replayer,
      InstantSource clock,
      Scheduler scheduler,
      LimiterObserver observer) {
    this.store = store;
    this.origin = origin;
    this.replayer = replayer;
    this.clock = clock;
    this.scheduler = scheduler;
    this.observer = observer;
    this.lookedNanos = scheduler.elapsedNanos();
    this.retoldNanos = scheduler.elapsedNanos() - RETELL_NANOS;
  }

  /** One thread at a time. */
  void tick() {
    long now = scheduler.elapsedNanos();
    if (now - lookedNanos >= INTERVAL_NANOS) {
      lookedNanos = now;
      look(now);
    }
    if (origin.hasForgotten() && now - retoldNanos >= RETELL_NANOS) {
      retoldNanos = now;
      origin.forgive();
      retell();
    }
  }

  private void look(long nowNanos) {
    if (!walk.hasNext() || nowNanos - walkedFromNanos >= WALK_NANOS) {
      walk = store.sharedCounters();
      walkedFromNanos = nowNanos;
    }
    long nowMillis = clock.millis();
    int asked = 0;
    for (int looked = 0; asked < SERIES && looked < MOST_LOOKED_AT && walk.hasNext(); looked++) {
      SharedCounter counter = walk.next();
      List<OwnCell> cells = counter.cells();
      if (isCurrent(counter, cells, nowMillis)
          && cells.stream().anyMatch(cell -> cell.confirmed() > 0)) {
        asked++;
        origin.read(counter, cells, OriginOperation.PATROL, nowMillis);
      }
    }
  }

  /** An origin may have let older cells go, as it should. */
  private static boolean isCurrent(SharedCounter counter, List<OwnCell> cells, long nowMillis) {
    return !cells.isEmpty()
        && nowMillis - cells.get(0).startMillis() < counter.scope().windowMillis();
  }

  private void retell() {
    long series = 0;
    for (Iterator<SharedCounter> all = store.sharedCounters(); all.hasNext(); ) {
      SharedCounter counter = all.next();
      counter.unconfirm();
      replayer.requeue(counter);
      series++;
    }
    LOG.log(
        Level.WARNING,
        "The origin has lost counts that it had confirmed; telling it again about {0} series",
        series);
    observer.originForgot();
  }
}
