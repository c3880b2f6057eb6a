/**
 * Regions that share their counts through MariaDB: its load by push policy, the lag between
 * regions, overshoot, the CPU time of ticks, and the limits of the database.
 *
 * <p>All nodes of the fleet run in this process, each with its own scheduler thread and
 * connections; the nodes of a region share an origin in memory. MariaDB is a process on loopback
 * that the run starts and stops.
 */
@NullMarked
package io.tidegate.benchmarks.global;

import org.jspecify.annotations.NullMarked;
