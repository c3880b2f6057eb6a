package io.tidegate.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Sends traffic to a fleet at its pace, window after window, until closed. */
final class GlobalDriver implements AutoCloseable {

  /** As many as this needs: a few microseconds for each request. */
  private static final int THREADS = 2;

  private final GlobalFleet fleet;
  private final GlobalTraffic traffic;
  private final LongAdder decisions = new LongAdder();
  private final LongAdder denials = new LongAdder();
  private final LongAdder cpuNanos = new LongAdder();
  private final AtomicLong latestMillis = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  GlobalDriver(GlobalFleet fleet, GlobalTraffic traffic) {
    this.fleet = fleet;
    this.traffic = traffic;
    for (int part = 0; part < THREADS; part++) {
      long[] requests = traffic.requests(part, THREADS);
      threads.add(Threads.daemon("driver", () -> drive(requests)));
    }
    threads.forEach(Thread::start);
  }

  /** Where it stood. */
  record Reading(long decisions, long denials, long cpuNanos) {

    Reading since(Reading before) {
      return new Reading(
          decisions - before.decisions, denials - before.denials, cpuNanos - before.cpuNanos);
    }
  }

  Reading read() {
    return new Reading(decisions.sum(), denials.sum(), cpuNanos.sum());
  }

  /** By how much the latest request was late, since this was asked last. */
  long takeLatestMillis() {
    return latestMillis.getAndSet(0);
  }

  private void drive(long[] requests) {
    long windowMillis = traffic.windowMillis();
    long now = System.currentTimeMillis();
    long start = now - now % windowMillis;
    int position = 0;
    while (position < requests.length && start + offset(requests, position) < now) {
      position++;
    }
    while (!over) {
      long cpuBefore = Cpu.threadNanos();
      now = System.currentTimeMillis();
      long asked = 0;
      long denied = 0;
      long late = 0;
      while (true) {
        if (position == requests.length) {
          position = 0;
          start += windowMillis;
        }
        long due = start + offset(requests, position);
        if (due > now || over) {
          break;
        }
        late = Math.max(late, now - due);
        denied += traffic.ask(fleet, requests[position++]) ? 0 : 1;
        asked++;
      }
      decisions.add(asked);
      denials.add(denied);
      latestMillis.accumulateAndGet(late, Math::max);
      cpuNanos.add(Cpu.threadNanos() - cpuBefore);
      Pause.millis(1);
    }
  }

  private static int offset(long[] requests, int position) {
    return GlobalTraffic.offsetMillis(requests[position]);
  }

  @Override
  public void close() {
    over = true;
    Threads.join(threads);
  }
}
