package io.tidegate;

import io.tidegate.local.SeriesTable;
import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.Scope;

/**
 * A limiter's entrance for one scope, to be kept by those who decide often: the scope is looked up
 * once, and {@link #take} allocates nothing. Made by {@link RateLimiter#gate}; counts together with
 * all other ways of asking the same limiter.
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
   * Replaced when the scope's series have all expired and others came. A race to replace it is
   * harmless.
   */
  private volatile SeriesTable table;

  Gate(RateLimiter limiter, Scope scope, SeriesTable table) {
    this.limiter = limiter;
    this.scope = scope;
    this.table = table;
  }

  /**
   * What this gate decides on.
   *
   * <p>{@code gate.scope().namespace()}
   *
   * @return workspace, namespace and window
   */
  public Scope scope() {
    return scope;
  }

  /**
   * Takes the cost if the limit has room for it, and says whether it had:
   * {@code gate.take("user_42", 10, 1)}.
   *
   * @param identifier who or what is being limited
   * @param limit tokens per window, 0 to 10^12; 0 denies everything
   * @param cost tokens to take, 0 to 10^12; 0 looks without taking
   * @return whether the request is allowed
   */
  public boolean take(String identifier, long limit, long cost) {
    return take(identifier, limit, cost, limiter.nowMillis());
  }

  /**
   * Takes one token if the limit has room for it: {@code gate.take("user_42", 10)}.
   *
   * @param identifier who or what is being limited
   * @param limit tokens per window, 0 to 10^12; 0 denies everything
   * @return whether the request is allowed
   */
  public boolean take(String identifier, long limit) {
    return take(identifier, limit, 1, limiter.nowMillis());
  }

  /**
   * The same at a time that the caller has read: {@code gate.take("user_42", 10, 1,
   * clock.millis())}.
   *
   * @param identifier who or what is being limited
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
   * Takes the cost if the limit has room for it, and says all about it:
   * {@code gate.tryAcquire("user_42", 10, 1)}.
   *
   * @param identifier who or what is being limited
   * @param limit tokens per window
   * @param cost tokens to take
   * @return the answer
   */
  public Decision tryAcquire(String identifier, long limit, long cost) {
    return tryAcquire(identifier, limit, cost, limiter.nowMillis());
  }

  /**
   * The same at a time that the caller has read: {@code gate.tryAcquire("user_42", 10, 1,
   * clock.millis())}.
   *
   * @param identifier who or what is being limited
   * @param limit tokens per window
   * @param cost tokens to take
   * @param nowMillis the time, from the limiter's clock or one that agrees with it
   * @return the answer
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
    return attached == null ? known : (table = attached);
  }
}
