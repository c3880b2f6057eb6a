/**
 * Regions of nodes under virtual time, network and faults.
 *
 * <p>A module, so that the compiler holds it to what core exports: what it cannot reach, an
 * application cannot reach either.
 */
@org.jspecify.annotations.NullMarked
module io.tidegate.simulator {
  requires io.tidegate.core;
  requires io.tidegate.report;
  requires static org.jspecify;
  requires java.logging;
  requires java.management;
  requires info.picocli;

  opens io.tidegate.simulator to
      info.picocli;
  opens io.tidegate.simulator.chaos to
      info.picocli;
  opens io.tidegate.simulator.fleet to
      info.picocli;
  opens io.tidegate.simulator.overshoot to
      info.picocli;
}
