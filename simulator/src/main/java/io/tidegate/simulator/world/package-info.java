/**
 * A simulated world: nodes that run the shipped core, the servers they call, and the network in
 * between.
 *
 * <p>Time is virtual and belongs to a {@link io.tidegate.simulator.world.Timeline}. One thread runs
 * all events of a world, in the order of their times; nothing in this package is thread-safe, and
 * no method blocks, sleeps or reads a real clock. All chance comes from the random generator of the
 * {@link io.tidegate.simulator.world.World}, so that a seed determines a run. Several worlds may
 * run in parallel, each in a thread of its own.
 */
@NullMarked
package io.tidegate.simulator.world;

import org.jspecify.annotations.NullMarked;
