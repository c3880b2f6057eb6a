package io.tidegate;

import io.tidegate.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The periodic work of a limiter on the scheduler of its host. */
final class PeriodicWork {

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  private final Scheduler scheduler;
  private final List<Scheduler.Task> tasks = new ArrayList<>();

  PeriodicWork(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Starts work that refers to its subject weakly: a limiter that is dropped without being closed
   * can be collected. The work must not capture the subject or the limiter.
   */
  <T> void start(Duration interval, T subject, Consumer<T> work) {
    WeakReference<T> reference = new WeakReference<>(subject);
    Scheduler.Task[] self = new Scheduler.Task[1];
    self[0] = scheduler.every(interval, () -> {
      T live = reference.get();
      if (live != null) {
        runAndSurvive(() -> work.accept(live));
      } else {
        self[0].cancel();
      }
    });
    tasks.add(self[0]);
  }

  /** Most schedulers never repeat work that has thrown. */
  private static void runAndSurvive(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "Background work failed; it will run again at its next interval", e);
    }
  }

  void stop() {
    tasks.forEach(Scheduler.Task::cancel);
  }
}
