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
import java.util.ArrayList;
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
final class LossDetector {

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  /** Reads every so often, of so many series, found among so many: 40 reads a second. */
  private static final long INTERVAL_NANOS = Duration.ofMillis(100).toNanos();

  private static final int SERIES = 4;
  private static final int MOST_LOOKED_AT = 256;

  /**
   * From one retelling to the next: it takes a while, and answers show the same loss meanwhile. An
   * origin that keeps forgetting, for want of memory, is pressed less and less.
   */
  private static final long SHORTEST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(8).toNanos();

  /** So long without loss, and the next one is the first again. */
  private static final long CALM_NANOS = Duration.ofMinutes(1).toNanos();

  /** Most series of one tick, which others wait for. */
  private static final int RETOLD_PER_TICK = 5_000;

  private final SeriesStore store;
  private final GuardedOrigin origin;
  private final Replayer replayer;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final LimiterObserver observer;

  /**
   * Where the next look begins. One walk goes over all series before the next begins, however long
   * it takes: at 40 reads a second, a million series take seven hours.
   */
  private Iterator<SharedCounter> walk = Collections.emptyIterator();

  private long lookedNanos;
  private Iterator<SharedCounter> retelling = Collections.emptyIterator();
  private long retoldNanos;
  private long pauseNanos = SHORTEST_PAUSE_NANOS;

  LossDetector(
      SeriesStore store,
      GuardedOrigin origin,
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
    this.retoldNanos = scheduler.elapsedNanos() - CALM_NANOS;
  }

  /** One thread at a time. */
  void tick() {
    long now = scheduler.elapsedNanos();
    if (now - lookedNanos >= INTERVAL_NANOS) {
      lookedNanos = now;
      look();
    }
    if (origin.hasForgotten() && now - retoldNanos >= pauseNanos) {
      beginToRetell(now);
    }
    for (int i = 0; i < RETOLD_PER_TICK && retelling.hasNext(); i++) {
      SharedCounter counter = retelling.next();
      counter.unconfirm();
      replayer.requeue(counter);
    }
  }

  private void look() {
    if (!walk.hasNext()) {
      walk = store.sharedCounters();
    }
    long nowMillis = clock.millis();
    int asked = 0;
    for (int looked = 0; asked < SERIES && looked < MOST_LOOKED_AT && walk.hasNext(); looked++) {
      SharedCounter counter = walk.next();
      List<OwnCell> cells = confirmed(counter);
      if (!cells.isEmpty()) {
        asked++;
        origin.read(counter, cells, OriginOperation.LOSS_CHECK, nowMillis);
      }
    }
  }

  private List<OwnCell> confirmed(SharedCounter counter) {
    if (!counter.hasConfirmed()) {
      return List.of(); // as most have not, where there are many regions: they are known by pulls
    }
    List<OwnCell> confirmed = new ArrayList<>(2);
    for (OwnCell cell : counter.cells()) {
      if (cell.confirmed() > 0 && origin.mustKnow(counter, cell)) {
        confirmed.add(cell);
      }
    }
    return confirmed;
  }

  private void beginToRetell(long nowNanos) {
    pauseNanos = nowNanos - retoldNanos >= CALM_NANOS
        ? SHORTEST_PAUSE_NANOS
        : Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    retoldNanos = nowNanos;
    retelling = store.sharedCounters();
    origin.forgive();
    LOG.log(
        Level.WARNING,
        "The origin has lost counts that it had confirmed; telling it again about {0} series",
        store.size());
    observer.originLostCounts();
  }
}
