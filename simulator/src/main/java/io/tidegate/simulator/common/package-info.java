/**
 * Code shared by the simulations: push policies under comparison, exact counts to measure decisions
 * against, and runs in parallel.
 *
 * <p>Classes that belong to a simulated world are confined to the thread of that world. Only
 * {@link io.tidegate.simulator.common.ParallelRuns} deals with threads.
 */
@NullMarked
package io.tidegate.simulator.common;

import org.jspecify.annotations.NullMarked;
