package io.tidegate.demo;

import io.tidegate.testkit.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The clients of the demo. One thread calls {@link #tick} and sends what is due; any thread may
 * start a burst or an attacker, and read the totals.
 */
final class Traffic {

  /** Twice the limit. */
  private static final double ROAMING_PER_SECOND = 20;

  private static final double BURST_FACTOR = 10;
  static final long BURST_MILLIS = 3_000;

  /** Half of the limit. */
  private static final double STEADY_PER_SECOND = 5;

  private static final double ATTACKER_PER_SECOND = 200;

  /** An attacker that is not stopped ends by itself. */
  static final long MAX_ATTACK_MILLIS = 120_000;

  private static final double CROWD_PER_SECOND = 150;
  private static final int CROWD = 2_000;
  private static final long CROWD_LIMIT = 60;

  /** Requests without an answer, which a slow machine may have; more are skipped and counted. */
  private static final int MAX_PENDING = 500;

  private static final Duration END_TIMEOUT = Duration.ofSeconds(2);

  /** A thread that was delayed for longer does not catch up, which would be a burst. */
  private static final double MAX_CATCH_UP_SECONDS = 0.25;

  /** Requests and their outcome since the start. */
  record Totals(
      long requests, long admitted, long denied, long degraded, long failed, long skipped) {}

  private final Fleet fleet;
  private final Client client;
  private final Reference reference;
  private final SplittableRandom random = new SplittableRandom();
  private final double[] crowd = zipf();

  private final User roaming = new User(
      "roaming",
      "One user in all three regions at once, at twice its limit: 20 requests per second.");
  private final User steady =
      new User("steady", "One user who stays in eu, at half of its limit: 5 requests per second.");

  private final Semaphore pending = new Semaphore(MAX_PENDING);
  private final LongAdder requests = new LongAdder();
  private final LongAdder admitted = new LongAdder();
  private final LongAdder denied = new LongAdder();
  private final LongAdder degraded = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final AtomicReference<@Nullable String> lastFailure = new AtomicReference<>();

  private volatile long burstEndsMillis;

  /** Guarded by this, like the next three. */
  private @Nullable User attacker;

  private boolean attacking;
  private long attackEndsMillis;
  private int attackers;

  /**
   * Requests that are due, by shape; used by the thread of {@link #tick} only, like the next two.
   */
  private final double[] due = new double[4];

  private long lastTickNanos = System.nanoTime();
  private int turn;

  Traffic(Fleet fleet, Client client, Reference reference) {
    this.fleet = fleet;
    this.client = client;
    this.reference = reference;
  }

  /** The cumulative shares of a population in which the n-th user sends 1/n of the first one's. */
  private static double[] zipf() {
    double[] cumulative = new double[CROWD];
    double sum = 0;
    for (int i = 0; i < CROWD; i++) {
      sum += 1.0 / (i + 1);
      cumulative[i] = sum;
    }
    for (int i = 0; i < CROWD; i++) {
      cumulative[i] /= sum;
    }
    return cumulative;
  }

  /** Sends the requests that have become due since the last call. */
  void tick() {
    long nowNanos = System.nanoTime();
    double seconds = Math.min(MAX_CATCH_UP_SECONDS, (nowNanos - lastTickNanos) / 1e9);
    lastTickNanos = nowNanos;
    boolean burst = isBursting();
    User attack = activeAttacker();
    for (int i = due(0, seconds * ROAMING_PER_SECOND * (burst ? BURST_FACTOR : 1)); i > 0; i--) {
      send(nextRegion(), roaming);
    }
    for (int i = due(1, seconds * STEADY_PER_SECOND); i > 0; i--) {
      turn++;
      send(0, steady);
    }
    for (int i = due(2, attack == null ? 0 : seconds * ATTACKER_PER_SECOND); i > 0; i--) {
      send(nextRegion(), attack);
    }
    for (int i = due(3, seconds * CROWD_PER_SECOND); i > 0; i--) {
      int found = Arrays.binarySearch(crowd, random.nextDouble());
      int rank = found < 0 ? -found - 1 : found;
      send(nextRegion(), node(), "crowd-" + rank, CROWD_LIMIT, null);
    }
  }

  /** Adds to what is due of a shape and takes the whole requests. */
  private int due(int shape, double added) {
    due[shape] += added;
    int whole = (int) due[shape];
    due[shape] -= whole;
    return whole;
  }

  private int nextRegion() {
    return ++turn % Fleet.REGIONS.size();
  }

  private int node() {
    return random.nextInt(Fleet.NODES_PER_REGION);
  }

  private void send(int region, @Nullable User user) {
    if (user != null) {
      int node = node();
      if (send(region, node, user.name(), User.LIMIT, user)) {
        reference.request(user, region, node);
      }
    }
  }

  /** Returns whether the request was sent. */
  @SuppressWarnings("FutureReturnValueIgnored") // its callback handles both outcomes
  private boolean send(int region, int node, String identifier, long limit, @Nullable User user) {
    if (!pending.tryAcquire()) {
      skipped.increment();
      return false;
    }
    requests.increment();
    client
        .take(fleet.regions().get(region), node, identifier, limit)
        .whenComplete((answer, failure) -> {
          pending.release();
          if (failure == null) {
            answered(answer, user);
          } else {
            failed.increment();
            lastFailure.set(String.valueOf(
                failure instanceof CompletionException wrapped ? wrapped.getCause() : failure));
          }
        });
    return true;
  }

  private void answered(Client.Answer answer, @Nullable User user) {
    (answer.allowed() ? admitted : denied).increment();
    if (answer.degraded()) {
      degraded.increment();
    }
    if (user != null && answer.allowed()) {
      user.admitted().admit(1, answer.resetMillis(), System.currentTimeMillis());
    }
  }

  /** Waits a moment for the answers to requests that were sent. */
  void awaitAnswers() {
    Waiting.until(END_TIMEOUT, () -> pending.availablePermits() == MAX_PENDING);
  }

  void burst() {
    burstEndsMillis = System.currentTimeMillis() + BURST_MILLIS;
  }

  boolean isBursting() {
    return System.currentTimeMillis() < burstEndsMillis;
  }

  /**
   * Starts an attacker with a new identifier, which takes the place of the last one on the page.
   */
  synchronized User startAttacker() {
    attackers++;
    attacker = new User(
        "attacker-" + attackers,
        "A new identifier in all three regions as fast as it can: 200 requests per second.");
    attacking = true;
    attackEndsMillis = System.currentTimeMillis() + MAX_ATTACK_MILLIS;
    return attacker;
  }

  synchronized void stopAttacker() {
    attacking = false;
  }

  /** The attacker that sends requests; null if there is none. */
  synchronized @Nullable User activeAttacker() {
    attacking &= System.currentTimeMillis() < attackEndsMillis;
    return attacking ? attacker : null;
  }

  /** The users that the page shows: the last attacker stays when it has stopped. */
  synchronized List<User> users() {
    List<User> users = new ArrayList<>(List.of(roaming, steady));
    if (attacker != null) {
      users.add(attacker);
    }
    return users;
  }

  User roaming() {
    return roaming;
  }

  Totals totals() {
    return new Totals(
        requests.sum(), admitted.sum(), denied.sum(), degraded.sum(), failed.sum(), skipped.sum());
  }

  /** Why the last failed request failed; null if none has. */
  @Nullable
  String lastFailure() {
    return lastFailure.get();
  }
}
