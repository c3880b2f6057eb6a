package io.tidegate.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A short run with a real server, Redis and MariaDB. */
class RunTest {

  @Test
  void memoryOptionsAreThoseOfTheLauncher() throws IOException {
    String launcher = Files.readString(Path.of("../tidegate"));
    assertThat(Run.HEAP.split(" ", 2)[1]).isSubstringOf(launcher);
    assertThat(Run.HEAP).startsWith("-Xmx" + (256 + 1_000_000 * 7 / 10_000) + "m ");
    assertThat(launcher).contains("256 + series * 7 / 10000");
  }

  @Test
  void countsSurviveTheRestartsOfBothStores() throws IOException {
    Settings tiny = new Settings(true, false, 12, 4, 200, 200, 5, 300, 1, 5);
    Results results = new Run(tiny).run();
    assertThat(results.rows()).hasSize(3 + 1);
    assertThat(results.stores().outages())
        .extracting(Outage::store)
        .containsExactly("Redis", "MariaDB");
    assertThat(results.stores().outages()).allMatch(Outage::recovered);
    assertThat(results.stores().samples())
        .as("a sample after the load")
        .anyMatch(sample -> sample.second() >= tiny.seconds())
        .allSatisfy(sample -> assertThat(sample.heapBytes()).isPositive())
        .allSatisfy(sample -> assertThat(sample.files()).isPositive())
        .allSatisfy(sample -> assertThat(sample.threads()).isPositive())
        .allSatisfy(sample -> assertThat(sample.residentBytes()).isPositive());
    assertThat(results.ledger().admitted()).isPositive();
    assertThat(results.ledger().balances()).as("%s", results.ledger()).isTrue();
    assertThat(results.usage().series()).isPositive();
    assertThat(results.failure()).isEmpty();
    assertThat(results.report(Machine.current()).markdown()).contains("### Restarts");
  }
}
