package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.load.Pause;
import io.tidegate.benchmarks.load.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Sends the requests of a traffic pattern to a fleet when they are due, until closed. */
final class Driver implements AutoCloseable {

  /** Enough for requests of a few microseconds each. */
  private static final int THREADS = 2;

  private final Fleet fleet;
  private final Traffic traffic;
  private final LongAdder decisions = new LongAdder();
  private final AtomicLong latestMillis = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  Driver(Fleet fleet, Traffic traffic) {
    this.fleet = fleet;
    this.traffic = traffic;
    for (int part = 0; part < THREADS; part++) {
      long[] requests = traffic.requests(part, THREADS);
      threads.add(Threads.daemon("driver", () -> drive(requests)));
    }
    threads.forEach(Thread::start);
  }

  /** Requests of an interval, and their highest delay. */
  record Reading(long decisions, long latestMillis) {}

  /** Returns the requests since the last call. */
  Reading take() {
    return new Reading(decisions.sumThenReset(), latestMillis.getAndSet(0));
  }

  private void drive(long[] requests) {
    long windowMillis = traffic.windowMillis;
    long now = System.currentTimeMillis();
    long start = now - now % windowMillis;
    int position = 0;
    while (position < requests.length && start + Traffic.offsetMillis(requests[position]) < now) {
      position++;
    }
    while (!stopped) {
      if (position == requests.length) {
        position = 0;
        start += windowMillis;
      }
      long due = start + Traffic.offsetMillis(requests[position]);
      if (due > now) {
        Pause.millis(1);
        now = System.currentTimeMillis();
      } else {
        latestMillis.accumulateAndGet(now - due, Math::max);
        traffic.send(fleet, requests[position++]);
        decisions.increment();
      }
    }
  }

  @Override
  public void close() {
    stopped = true;
    Threads.join(threads);
  }
}
