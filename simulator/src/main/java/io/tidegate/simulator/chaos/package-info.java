/**
 * Random faults in virtual time, and a referee that checks every guarantee of docs/guarantees.md
 * after every event.
 *
 * <p>A seed determines a {@link io.tidegate.simulator.chaos.Scenario}: regions, nodes, traffic and
 * {@linkplain io.tidegate.simulator.chaos.FaultKind faults}. A
 * {@link io.tidegate.simulator.chaos.ChaosRun} runs it in one thread in a
 * {@link io.tidegate.simulator.world.World} of its own; runs share no state and may execute in
 * parallel.
 *
 * <p>Adapters and observer of each node are wrapped by a {@code WatchedNode}, so that the
 * {@link io.tidegate.simulator.chaos.Referee} sees every message. It compares them with the
 * {@link io.tidegate.simulator.chaos.GroundTruth}, which no node has. Code of this package must not
 * iterate over maps without a defined order where the order can reach a random draw, a message or
 * the trace: the same seed must give the same trace on every machine.
 */
@NullMarked
package io.tidegate.simulator.chaos;

import org.jspecify.annotations.NullMarked;
