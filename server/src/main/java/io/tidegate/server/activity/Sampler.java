package io.tidegate.server.activity;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooses which decisions to look at: all of them while there are few, and about
 * {@value #SAMPLES_PER_SECOND} per second, at random, while there are many.
 *
 * <p>A sampled decision stands for as many decisions as its weight says. The relative error of a
 * count that {@code n} samples make up is about {@code 1 / sqrt(n)}, and 0 while all decisions are
 * sampled. Any thread may ask; a decision that is not sampled costs one array access.
 */
final class Sampler {

  /** One sample costs about 0.2 us, so that all of them take 0.2 % of a processor. */
  static final int SAMPLES_PER_SECOND = 10_000;

  /** More than event loops of most machines; threads beyond share a stripe. */
  private static final int STRIPES = 64;

  /** Elements between two stripes: 64 B, so that threads do not share a cache line. */
  private static final int STRIDE = 16;

  /** Far beyond what a machine decides in a second. */
  private static final int MAX_INTERVAL = 1 << 24;

  /**
   * For each stripe, how many of the next decisions are skipped. Read and written by all threads of
   * the stripe without synchronization: a lost update only changes which decision is sampled.
   */
  private final int[] skips = new int[STRIPES * STRIDE];

  /** A decision is sampled once in so many, on average. Written under this object's lock. */
  private volatile int interval = 1;

  /** Samples since the interval was last set. */
  private final AtomicInteger samples = new AtomicInteger();

  /**
   * Decides whether to look at a decision.
   *
   * @return how many decisions it stands for; 0 if it is not sampled
   */
  int weight() {
    int stripe = ((int) Thread.currentThread().getId() & (STRIPES - 1)) * STRIDE;
    int left = skips[stripe];
    if (left > 0) {
      skips[stripe] = left - 1;
      return 0;
    }
    return sample(stripe);
  }

  private int sample(int stripe) {
    if (samples.incrementAndGet() > SAMPLES_PER_SECOND) {
      sampleLess();
    }
    int every = interval;
    if (every > 1) {
      // From 0 to 2 * (every - 1), so that the mean is right and no pattern of requests is missed.
      skips[stripe] = ThreadLocalRandom.current().nextInt(2 * every - 1);
    }
    return every;
  }

  /** Reacts to a rush at once: the next second may be far away. */
  private synchronized void sampleLess() {
    if (samples.get() > SAMPLES_PER_SECOND && interval < MAX_INTERVAL) {
      interval *= 2;
      samples.set(0);
    }
  }

  /**
   * Begins another second.
   *
   * @param decisions the decisions of the last second
   */
  synchronized void adapt(long decisions) {
    long every = (decisions + SAMPLES_PER_SECOND - 1) / SAMPLES_PER_SECOND;
    interval = (int) Math.min(MAX_INTERVAL, Math.max(1, every));
    samples.set(0);
  }
}
