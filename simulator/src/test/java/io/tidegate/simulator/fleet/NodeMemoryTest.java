package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeMemoryTest {

  /** The bounds are wide, because JVMs differ and other tests may allocate at the same time. */
  @Test
  void otherRegionsTakeLittle() {
    NodeMemory memory = NodeMemory.measure();
    assertThat(memory.used()).isBetween(150.0, 600.0);
    assertThat(memory.shared() - memory.used()).isBetween(0.0, 200.0);
  }
}
