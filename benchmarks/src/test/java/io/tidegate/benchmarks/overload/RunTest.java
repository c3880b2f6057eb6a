package io.tidegate.benchmarks.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.overload.Results.Step;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A small run with a real server. */
class RunTest {

  @Test
  void everyLoadIsOffered() throws IOException {
    Settings tiny = new Settings(true, false, 1, 2, 50, List.of(20, 200), 300, 100, 500);
    Results results = new Run(tiny).run();
    assertThat(results.steps().rows()).extracting(Step::percent).containsExactly(20, 200);
    assertThat(results.steps().rows())
        .allSatisfy(step -> assertThat(step.answered()).isPositive())
        .allSatisfy(step -> assertThat(step.maximum()).isPositive())
        .allSatisfy(step -> assertThat(step.residentBytes()).isPositive());
    assertThat(results.at(200).rows().get(0).interval().connections()).isLessThanOrEqualTo(50);
  }
}
