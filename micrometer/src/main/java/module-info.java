/**
 * The metrics of a limiter in a Micrometer registry.
 *
 * <p>Start at {@link io.tidegate.micrometer.LimiterMetrics}.
 */
@org.jspecify.annotations.NullMarked
module io.tidegate.micrometer {
  requires transitive io.tidegate.core;
  requires transitive micrometer.core;

  exports io.tidegate.micrometer;
}
