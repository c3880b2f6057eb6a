/**
 * Fleets of the size that the reference system has in production, and larger: their load on
 * database, origins and memory, and their overshoot.
 *
 * <p>All nodes of a fleet are simulated, with a sample of its series; series do not influence each
 * other, so that figures of a sample can be extrapolated. Each
 * {@link io.tidegate.simulator.fleet.FleetSimulation} runs in one thread and in virtual time. Only
 * its speed is measured in real time.
 */
@NullMarked
package io.tidegate.simulator.fleet;

import org.jspecify.annotations.NullMarked;
