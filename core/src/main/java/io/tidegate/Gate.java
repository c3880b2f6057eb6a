package io.tidegate;

import io.tidegate.local.SeriesTable;
import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.Scope;

/**
 * The fast path to one scope of a limiter. The scope is looked up once, and {@link #take} allocates
 * nothing, so hot code keeps a gate. Created by {@link RateLimiter#gate}; shares its counts with
 * all other requests to the same limiter. Thread-safe.
 *
 * <pre>{@code
 * Gate logins = limiter.gate("acme", "login", Duration.ofMinutes(1));
 * if (!logins.take("user_42", 10, 1)) {
 *   reject();
 * }
 * }</pre>
 */
public final class Gate {

  private final RateLimiter limiter;
  private final Scope scope;

  /**
   * The series of the scope. Replaced when all series of the scope have expired and the limiter has
   * created another table. A race is harmless, since all threads find the same table.
   */
  private volatile SeriesTable table;

  Gate(RateLimiter limiter, Scope scope, SeriesTable table) {
    this.limiter = limiter;
    this.scope = scope;
    this.table = table;
  }

  /**
   * Returns the scope of this gate: {@code gate.scope().namespace()}.
   *
   * @return workspace, namespace and window
   */
  public Scope scope() {
    return scope;
  }

  /**
   * Takes tokens if the limit allows it: {@code gate.take("user_42", 10, 1)}.
   *
   * @param identifier the user, key or address that is limited
   * @param limit tokens per window, 0 to 10^12; 0 denies everything
   * @param cost tokens to take, 0 to 10^12; 0 is a peek, which takes nothing
   * @return whether the request is allowed
   */
  public boolean take(String identifier, long limit, long cost) {
    return take(identifier, limit, cost, limiter.nowMillis());
  }

  /**
   * Takes one token if the limit allows it: {@code gate.take("user_42", 10)}.
   *
   * @param identifier the user, key or address that is limited
   * @param limit tokens per window, 0 to 10^12; 0 denies everything
   * @return whether the request is allowed
   */
  public boolean take(String identifier, long limit) {
    return take(identifier, limit, 1, limiter.nowMillis());
  }

  /**
   * Takes tokens at a time that the caller has read already: {@code gate.take("user_42", 10, 1,
   * clock.millis())}.
   *
   * @param identifier the user, key or address that is limited
   * @param limit tokens per window
   * @param cost tokens to take
   * @param nowMillis the time, from the limiter's clock or one that agrees with it
   * @return whether the request is allowed
   */
  public boolean take(String identifier, long limit, long cost, long nowMillis) {
    if (limiter.isObserved()) {
      return tryAcquire(identifier, limit, cost, nowMillis).allowed();
    }
    check(identifier, limit, cost, nowMillis);
    return limiter.take(table(), identifier, limit, cost, nowMillis);
  }

  /**
   * Takes tokens if the limit allows it, and returns the whole decision:
   * {@code gate.tryAcquire("user_42", 10, 1)}.
   *
   * @param identifier the user, key or address that is limited
   * @param limit tokens per window
   * @param cost tokens to take
   * @return the decision
   */
  public Decision tryAcquire(String identifier, long limit, long cost) {
    return tryAcquire(identifier, limit, cost, limiter.nowMillis());
  }

  /**
   * Decides at a time that the caller has read already: {@code gate.tryAcquire("user_42", 10, 1,
   * clock.millis())}.
   *
   * @param identifier the user, key or address that is limited
   * @param limit tokens per window
   * @param cost tokens to take
   * @param nowMillis the time, from the limiter's clock or one that agrees with it
   * @return the decision
   */
  public Decision tryAcquire(String identifier, long limit, long cost, long nowMillis) {
    check(identifier, limit, cost, nowMillis);
    return limiter.decide(table(), scope, identifier, limit, cost, nowMillis);
  }

  private static void check(String identifier, long limit, long cost, long nowMillis) {
    Bounds.checkName("identifier", identifier);
    Bounds.checkTokens("limit", limit);
    Bounds.checkTokens("cost", cost);
    Bounds.checkTime(nowMillis);
  }

  private SeriesTable table() {
    SeriesTable known = table;
    if (known.isAttached()) {
      return known;
    }
    SeriesTable attached = limiter.store().find(scope);
    if (attached == null) {
      return known;
    }
    table = attached;
    return attached;
  }
}
