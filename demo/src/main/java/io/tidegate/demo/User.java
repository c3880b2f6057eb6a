package io.tidegate.demo;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An identifier that the page shows: what was admitted, by Tidegate and by the reference design.
 */
final class User {

  /** The same for all, so that figures compare. */
  static final long LIMIT = 600;

  static final long WINDOW_MILLIS = 60_000;

  /** Three minutes at one sample per second. */
  private static final int MAX_SAMPLES = 180;

  /**
   * The counts at one time.
   *
   * @param beliefs the count that a node of each region would decide by; null if it did not answer
   */
  record Sample(long timeMillis, long admitted, long reference, List<@Nullable Long> beliefs) {}

  private final String name;
  private final String traffic;
  private final SlidingCount admitted = new SlidingCount(WINDOW_MILLIS);
  private final SlidingCount reference = new SlidingCount(WINDOW_MILLIS);

  /** Written by the sampler, read by the page; guarded by itself. */
  private final Deque<Sample> samples = new ArrayDeque<>();

  /**
   * Creates a user without requests.
   *
   * @param traffic what the user sends, for people
   */
  User(String name, String traffic) {
    this.name = name;
    this.traffic = traffic;
  }

  String name() {
    return name;
  }

  String traffic() {
    return traffic;
  }

  /** Tokens for which a client received an answer that admits them. */
  SlidingCount admitted() {
    return admitted;
  }

  /** Tokens that the reference design would have admitted of the same requests. */
  SlidingCount reference() {
    return reference;
  }

  void sample(long nowMillis, List<@Nullable Long> beliefs) {
    synchronized (samples) {
      samples.add(new Sample(nowMillis, admitted.at(nowMillis), reference.at(nowMillis), beliefs));
      if (samples.size() > MAX_SAMPLES) {
        samples.remove();
      }
    }
  }

  List<Sample> samples() {
    synchronized (samples) {
      return new ArrayList<>(samples);
    }
  }

  void resetMost(long nowMillis) {
    admitted.resetMost(nowMillis);
    reference.resetMost(nowMillis);
  }

  /** A count as a multiple of the limit: 1.0 is the limit, more is overshoot. */
  static double timesLimit(long count) {
    return (double) count / LIMIT;
  }
}
