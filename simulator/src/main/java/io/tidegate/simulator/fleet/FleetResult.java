package io.tidegate.simulator.fleet;

/**
 * The result for one fleet.
 *
 * @param figures figures of the simulation
 * @param memory memory of a node in a fleet with that many regions
 */
record FleetResult(FleetFigures figures, NodeMemory memory) {

  String label() {
    return figures.label();
  }

  FleetSettings settings() {
    return figures.settings();
  }

  FleetFigures.Load whole() {
    return figures.whole();
  }

  /** Mean number of series in the memory of a node that it has from other regions only. */
  double importedSeries() {
    return Math.max(0, whole().heldSeries() - whole().usedSeries());
  }

  /** Heap of a node for its series. */
  double bytesPerNode() {
    return whole().usedSeries() * memory.used() + importedSeries() * memory.imported();
  }
}
