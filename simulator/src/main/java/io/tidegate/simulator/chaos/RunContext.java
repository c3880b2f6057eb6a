package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.World;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The parts of a run that its traffic, its faults and its checks share. */
record RunContext(
    Scenario scenario,
    World world,
    Trace trace,
    GroundTruth truth,
    Excuses excuses,
    Violations violations) {

  static RunContext of(Scenario scenario, @Nullable Consumer<String> reader) {
    World world = new World(scenario.seed());
    Trace trace = new Trace(world.timeline(), reader);
    Excuses excuses = new Excuses(scenario);
    return new RunContext(scenario, world, trace, new GroundTruth(), excuses, new Violations());
  }

  long now() {
    return world.timeline().nowNanos();
  }

  void violated(Guarantee guarantee, String details) {
    violations.add(guarantee, details);
  }
}
