package io.tidegate.spring.gateway;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a route, from the arguments {@code tidegate-rate-limiter.*} of its filter, or from
 * Java:
 *
 * <pre>{@code
 * new RouteLimit().setLimit(100).setWindow(Duration.ofMinutes(1));
 * }</pre>
 *
 * <p>Spring binds arguments to the setters. A route copies the values when it is loaded.
 */
public final class RouteLimit {

  private @Nullable String name;
  private @Nullable Long limit;
  private Duration window = Duration.ofMinutes(1);
  private long cost = 1;

  /** Creates a limit without values; it needs at least {@link #setLimit}. */
  public RouteLimit() {}

  /**
   * Returns the name of the limit: {@code limit.getName()}.
   *
   * @return null for the identifier of the route
   */
  public @Nullable String getName() {
    return name;
  }

  /**
   * Sets the name, for counts, headers and metrics: {@code setName("partners")}. Routes with the
   * same name and window share their counts. Without it, each route has its own.
   *
   * @param name 1 to 512 characters
   * @return this
   */
  public RouteLimit setName(@Nullable String name) {
    this.name = name;
    return this;
  }

  /**
   * Returns the tokens per window: {@code limit.getLimit()}.
   *
   * @return null if it is not set
   */
  public @Nullable Long getLimit() {
    return limit;
  }

  /**
   * Sets the tokens per window and key: {@code setLimit(100L)}.
   *
   * @param limit 0 to 10^12; 0 denies all requests
   * @return this
   */
  public RouteLimit setLimit(@Nullable Long limit) {
    this.limit = limit;
    return this;
  }

  /**
   * Returns the length of the window: {@code limit.getWindow()}.
   *
   * @return by default one minute
   */
  public Duration getWindow() {
    return window;
  }

  /**
   * Sets the length of the window: {@code setWindow(Duration.ofSeconds(10))}.
   *
   * @param window one second to 366 days
   * @return this
   */
  public RouteLimit setWindow(Duration window) {
    this.window = window;
    return this;
  }

  /**
   * Returns the tokens that a request takes: {@code limit.getCost()}.
   *
   * @return by default 1
   */
  public long getCost() {
    return cost;
  }

  /**
   * Sets the tokens that a request takes: {@code setCost(5)}.
   *
   * @param cost 1 to 10^12
   * @return this
   */
  public RouteLimit setCost(long cost) {
    this.cost = cost;
    return this;
  }
}
