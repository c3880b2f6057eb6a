/**
 * The simulator: regions of nodes under virtual time, network and faults.
 *
 * <p>It is a module so that the compiler restricts it to the exported packages of the core, like an
 * application.
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
