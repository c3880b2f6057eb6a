package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.testing.InMemoryGlobalCounters;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlocklistTest {

  private static final Scope SCOPE = new Scope("acme", "login", 60_000);
  private static final WindowCell CELL = new WindowCell(new Series(SCOPE, "user"), 3);

  private final InMemoryGlobalCounters database = new InMemoryGlobalCounters();
  private final Blocklist eu = new Blocklist(database, "eu", 100, cell -> 30, new HashSet<>());
  private final Blocklist us = new Blocklist(database, "us", 100, cell -> 100, new HashSet<>());

  private void decide(Blocklist node, boolean allowed) {
    node.decided(
        SCOPE,
        "user",
        new Decision(
            allowed,
            100,
            0,
            CELL.startMillis() + 60_000,
            allowed ? 0 : 1,
            100,
            Source.LOCAL,
            false));
  }

  private static List<Component> pulled(Blocklist node) {
    List<Component> components = new ArrayList<>();
    node.pull(node.region(), 0, CELL.startMillis(), components::add);
    return components;
  }

  @Test
  void aDenialFillsTheCellInOtherRegions() {
    decide(us, false);
    assertThat(pulled(eu)).containsExactly(new Component("blocklist", CELL, 70));
    assertThat(pulled(us)).isEmpty();
    us.pullOwn("us", CELL.startMillis(), row -> fail("a region has no counts of its own: " + row));
  }

  @Test
  void aFullCellIsLeftUnchanged() {
    decide(eu, false);
    assertThat(pulled(us)).isEmpty();
  }

  @Test
  void anAdmissionIsNotShared() {
    decide(us, true);
    assertThat(database.pushes()).isEmpty();
  }

  @Test
  void aNodeWritesADenialOnce() {
    decide(us, false);
    decide(us, false);
    assertThat(database.pushes()).hasSize(1);
  }

  @Test
  void aNodeThatHasReadADenialWritesNoOther() {
    decide(us, false);
    pulled(eu);
    decide(eu, false);
    assertThat(database.pushes()).extracting(Component::region).containsExactly("us");
  }
}
