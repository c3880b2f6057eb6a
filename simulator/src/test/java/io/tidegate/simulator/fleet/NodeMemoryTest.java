package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeMemoryTest {

  /** The bounds are wide, because JVMs differ and other tests may allocate at the same time. */
  @Test
  void importedSeriesGrowWithTheNumberOfRegions() {
    NodeMemory few = NodeMemory.measure(10);
    NodeMemory many = NodeMemory.measure(100);
    assertThat(few.used()).isBetween(150.0, 600.0);
    assertThat(few.imported()).isBetween(250.0, 800.0);
    assertThat(many.imported() - few.imported()).isBetween(400.0, 1_200.0);
  }
}
