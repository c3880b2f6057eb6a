package io.tidegate.regional;

import io.tidegate.local.OwnCell;
import io.tidegate.local.SeriesStore;
import io.tidegate.local.SharedCounter;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import io.tidegate.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * Detects that the origin has lost counts, and sends all counts of this node again.
 *
 * <p>Any answer may reveal a loss: one that holds less of this node's count than was confirmed. To
 * detect a loss without traffic too, a few series are read in every interval, different ones each
 * time, because only one part of a cluster may have lost its counts. Ticks come from one thread at
 * a time.
 */
final class LossDetector {

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  /** Series read in one interval. */
  private static final int SERIES = 4;

  /** Series examined to find those that can be read: few of a large fleet's have own counts. */
  private static final int MAX_EXAMINED = 256;

  /**
   * Series queued again in one tick, 10,000 in a second. To send all of a million at once would
   * take most of a processor for half a minute, and decisions would wait. Only nodes that do not
   * know a series yet need its count from the origin, and a series in use is sent with its next
   * change.
   */
  private static final int RESENT_PER_TICK = 100;

  private final SeriesStore store;
  private final GuardedOrigin origin;
  private final Runnable lossDetected;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final LimiterObserver observer;

  /**
   * The position of the loss checks. One walk visits all series before the next starts: at 40 reads
   * a second, a million series take seven hours.
   */
  private Iterator<SharedCounter> walk = Collections.emptyIterator();

  private long checkedNanos;
  private Iterator<SharedCounter> resending = Collections.emptyIterator();

  /** When series were last queued again. */
  private long resentNanos;

  private long pauseNanos = RegionalTimings.SHORTEST_RESEND_PAUSE_NANOS;

  LossDetector(
      SeriesStore store,
      GuardedOrigin origin,
      Runnable lossDetected,
      InstantSource clock,
      Scheduler scheduler,
      LimiterObserver observer) {
    this.store = store;
    this.origin = origin;
    this.lossDetected = lossDetected;
    this.clock = clock;
    this.scheduler = scheduler;
    this.observer = observer;
    this.checkedNanos = scheduler.elapsedNanos();
    this.resentNanos = scheduler.elapsedNanos() - RegionalTimings.CALM_NANOS;
  }

  void tick() {
    long now = scheduler.elapsedNanos();
    if (now - checkedNanos >= RegionalTimings.LOSS_CHECK_NANOS) {
      checkedNanos = now;
      check();
    }
    if (resending.hasNext()) {
      resend();
      resentNanos = now;
    } else if (now - resentNanos < RegionalTimings.SHORTEST_RESEND_PAUSE_NANOS) {
      origin.resetLostCounts(); // answers to earlier messages show the loss that was just mended
    } else if (origin.hasLostCounts() && now - resentNanos >= pauseNanos) {
      startResending(now);
    }
  }

  private void resend() {
    for (int i = 0; i < RESENT_PER_TICK && resending.hasNext(); i++) {
      SharedCounter counter = resending.next();
      counter.unconfirm();
      if (counter.queueForReplay()) {
        store.unconfirmed().add(counter);
      }
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a read merges its own answer
  private void check() {
    if (!walk.hasNext()) {
      walk = store.sharedCounters();
    }
    long nowMillis = clock.millis();
    int read = 0;
    for (int examined = 0; read < SERIES && examined < MAX_EXAMINED && walk.hasNext(); examined++) {
      SharedCounter counter = walk.next();
      List<OwnCell> cells = confirmed(counter);
      if (!cells.isEmpty()) {
        read++;
        origin.read(counter, cells, OriginOperation.LOSS_CHECK, nowMillis);
      }
    }
  }

  private List<OwnCell> confirmed(SharedCounter counter) {
    if (!counter.hasConfirmed()) {
      return List.of(); // as for series that only other nodes count
    }
    List<OwnCell> confirmed = new ArrayList<>(2);
    for (OwnCell cell : counter.cells()) {
      if (cell.confirmed() > 0 && origin.mustHold(cell)) {
        confirmed.add(cell);
      }
    }
    return confirmed;
  }

  private void startResending(long nowNanos) {
    pauseNanos = nowNanos - resentNanos >= RegionalTimings.CALM_NANOS
        ? RegionalTimings.SHORTEST_RESEND_PAUSE_NANOS
        : Math.min(2 * pauseNanos, RegionalTimings.LONGEST_RESEND_PAUSE_NANOS);
    resentNanos = nowNanos;
    resending = store.sharedCounters();
    resend();
    LOG.log(
        Level.WARNING,
        "The origin has lost counts that it had confirmed; sending the counts of {0} series again",
        store.size());
    observer.originLostCounts();
    lossDetected.run();
  }
}
