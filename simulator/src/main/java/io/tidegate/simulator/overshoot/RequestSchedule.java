package io.tidegate.simulator.overshoot;

import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** All requests of a trial, drawn before it begins so that they are the same for all policies. */
final class RequestSchedule {

  /** Time for the nodes to start and to exchange first messages. */
  static final long LEAD_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** One request, to a node by its number; the nodes of a region are consecutive. */
  record Request(long nanos, int node, long cost) {}

  final List<Request> requests = new ArrayList<>();

  /** The request that is repeated, with a cost of one. */
  final LimitRequest request;

  final long limit;
  final int windows;
  final long windowNanos;

  /** Start of the first request: the start of a window, with no tokens used before. */
  final long begin;

  final long end;

  /** Approximate number of requested tokens. */
  final double tokens;

  private final OvershootSettings settings;
  private final Random random;
  private int turn;

  RequestSchedule(TrafficPattern pattern, OvershootSettings settings, double load, Random random) {
    this.settings = settings;
    this.random = random;
    this.limit = settings.limit();
    boolean isDay = pattern == TrafficPattern.DAY;
    boolean isShort = pattern == TrafficPattern.TEN_SECONDS;
    this.windows = isDay ? 1 : isShort ? 3 * settings.windows() : settings.windows();
    this.windowNanos = TimeUnit.SECONDS.toNanos(isDay ? 86_400 : isShort ? 10 : 60);
    this.begin = (LEAD_NANOS + windowNanos - 1) / windowNanos * windowNanos;
    // Of a day, only minutes: all later requests would be denied, or there would be none.
    long minutesOfDay = settings.quick() ? 2 : 10;
    this.end = begin + (isDay ? TimeUnit.MINUTES.toNanos(minutesOfDay) : windows * windowNanos);
    this.tokens = load * limit * windows;
    Scope scope = new Scope("acme", "login", windowNanos / 1_000_000);
    this.request = new LimitRequest(scope, "user_42", limit, 1);
    pattern.requests.accept(this);
    requests.sort(Comparator.comparingLong(Request::nanos));
  }

  /** Start of a window, counted from 0. */
  long start(int window) {
    return begin + window * windowNanos;
  }

  /** Equal weights of the first regions. */
  double[] first(int regions) {
    double[] weights = new double[settings.regions()];
    Arrays.fill(weights, 0, Math.min(regions, weights.length), 1);
    return weights;
  }

  double[] all() {
    return first(settings.regions());
  }

  /** Adds the whole load at random times, in random regions by weight. */
  void addAll(double[] weights) {
    add(begin, end, tokens, weights);
  }

  /** Adds requests for single tokens at random times, regions (by weight) and nodes. */
  void add(long from, long to, double tokens, double[] weights) {
    double all = Arrays.stream(weights).sum();
    addPoisson(from, to, tokens, () -> {
      double left = random.nextDouble() * all;
      int region = 0;
      while (region < weights.length - 1 && left >= weights[region]) {
        left -= weights[region++];
      }
      return region * settings.nodes() + random.nextInt(settings.nodes());
    });
  }

  /** Adds requests for single tokens at random times, to all regions and nodes in turn. */
  void addInTurn(long from, long to, double tokens) {
    addPoisson(from, to, tokens, () -> {
      int region = turn % settings.regions();
      int node = turn++ / settings.regions() % settings.nodes();
      return region * settings.nodes() + node;
    });
  }

  /** Adds one request for several tokens to the first node. */
  void addSingle(long nanos, long cost) {
    requests.add(new Request(nanos, 0, cost));
  }

  /** Independent arrivals: the time between two of them is exponentially distributed. */
  private void addPoisson(long from, long to, double tokens, IntSupplier node) {
    double meanGap = (to - from) / tokens;
    double at = from - meanGap * StrictMath.log(1 - random.nextDouble());
    while (at < to) {
      requests.add(new Request((long) at, node.getAsInt(), 1));
      at -= meanGap * StrictMath.log(1 - random.nextDouble());
    }
  }
}
