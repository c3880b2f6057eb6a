/**
 * Metrics, health, and the admin port that serves them.
 *
 * <p>The root package creates {@link io.tidegate.server.observe.Health} and
 * {@link io.tidegate.server.observe.Metrics} and passes them to the parts of the server that
 * report. The meters of the limiter are those of {@link io.tidegate.micrometer.LimiterMetrics};
 * {@link io.tidegate.server.observe.HttpMetrics} counts for the ports of clients.
 *
 * <p>Everything may be called by any thread. Counting is on the path of every request: it raises
 * adders, takes no lock and allocates nothing, except when a label value occurs for the first time.
 * All sets of label values are bounded. Scrapes read; they never block counting.
 *
 * <p>Names are those of roles: origin, global counters, catalog. Which product plays a role is
 * known to adapters only.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.observe;
