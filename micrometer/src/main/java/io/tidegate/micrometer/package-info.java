/**
 * The metrics of a limiter in a Micrometer registry of the application.
 *
 * <p>{@link io.tidegate.micrometer.LimiterMetrics} is the observer of the limiter and the only
 * public type. The names in Prometheus are those of Tidegate's server, so its dashboard and alerts
 * work for applications too.
 *
 * <p>Counting is on the path of every decision: it raises adders, takes no lock and allocates
 * nothing, except when a label value occurs for the first time. All sets of label values are
 * bounded. The registry refers to the counted objects weakly; the limiter keeps them alive through
 * its observer.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.micrometer;
