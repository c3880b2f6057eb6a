package io.tidegate.simulator.overshoot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** All requests of a trial, drawn before it begins: so they are the same for every policy. */
final class RequestSchedule {

  /** For the nodes to begin, and to hear of each other. */
  static final long LEAD_NANOS = TimeUnit.SECONDS.toNanos(20);

  /**
   * One request.
   *
   * @param nanos when
   * @param node which node is asked; those of a region follow each other
   * @param cost for how much
   */
  record Request(long nanos, int node, long cost) {}

  private final OvershootSettings settings;
  private final Random random;
  private final int windows;
  private final long windowNanos;
  private final long begin;
  private final long end;
  private final double tokens;
  private final List<Request> requests = new ArrayList<>();
  private int turn;

  RequestSchedule(TrafficPattern traffic, OvershootSettings settings, double load, Random random) {
    this.settings = settings;
    this.random = random;
    this.windows = traffic.windows(settings);
    this.windowNanos = TimeUnit.SECONDS.toNanos(traffic.windowSeconds());
    this.begin = (LEAD_NANOS + windowNanos - 1) / windowNanos * windowNanos;
    this.end = begin + TimeUnit.SECONDS.toNanos(traffic.lengthSeconds(settings));
    this.tokens = load * settings.limit() * windows;
  }

  List<Request> requests() {
    return requests;
  }

  long limit() {
    return settings.limit();
  }

  int windows() {
    return windows;
  }

  long windowNanos() {
    return windowNanos;
  }

  /** When it begins: with a window, of which nobody has used anything, nor of the one before. */
  long begin() {
    return begin;
  }

  long end() {
    return end;
  }

  /** How many are asked for in all, or nearly so. */
  double tokens() {
    return tokens;
  }

  /** The weights of as many regions alike. */
  double[] first(int regions) {
    double[] weights = new double[settings.regions()];
    Arrays.fill(weights, 0, Math.min(regions, weights.length), 1);
    return weights;
  }

  double[] all() {
    return first(settings.regions());
  }

  /** Asks for single tokens at random times, in random regions by weight, and at any node there. */
  void ask(long from, long to, double tokens, double[] weights) {
    double all = Arrays.stream(weights).sum();
    arrive(from, to, tokens, () -> {
      double left = random.nextDouble() * all;
      int region = 0;
      while (region < weights.length - 1 && left >= weights[region]) {
        left -= weights[region++];
      }
      return region * settings.nodes() + random.nextInt(settings.nodes());
    });
  }

  /** Asks for single tokens at random times, from one region to the next and node to node. */
  void askInTurn(long from, long to, double tokens) {
    arrive(from, to, tokens, () -> {
      int region = turn % settings.regions();
      int node = turn / settings.regions() % settings.nodes();
      turn++;
      return region * settings.nodes() + node;
    });
  }

  /** Asks the first node for so many tokens at once. */
  void askOnce(long nanos, long cost) {
    requests.add(new Request(nanos, 0, cost));
  }

  /** As who asks without knowing of each other: the time from one to the next is exponential. */
  private void arrive(long from, long to, double tokens, IntSupplier node) {
    double meanGap = (to - from) / tokens;
    double at = from;
    while (true) {
      at -= meanGap * StrictMath.log(1 - random.nextDouble());
      if (at >= to) {
        return;
      }
      requests.add(new Request((long) at, node.getAsInt(), 1));
    }
  }

  void sort() {
    requests.sort(Comparator.comparingLong(Request::nanos));
  }
}
