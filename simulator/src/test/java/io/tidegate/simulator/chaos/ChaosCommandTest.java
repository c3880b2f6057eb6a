package io.tidegate.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import picocli.CommandLine;

@ExtendWith(Quiet.class)
class ChaosCommandTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final StringWriter errors = new StringWriter();

  private int run(String... arguments) {
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      return new CommandLine(new ChaosCommand()).setErr(new PrintWriter(errors)).execute(arguments);
    } finally {
      System.setOut(before);
    }
  }

  private String output() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void runsSeedsAndReportsThatAllGuaranteesHeld() {
    assertThat(run("--seeds", "3")).isZero();
    assertThat(output()).startsWith("3 of 3 seeds").contains("every guarantee held");
  }

  @Test
  void aSingleSeedPrintsItsTrace() {
    assertThat(run("--seed", "3")).isZero();
    assertThat(output())
        .contains(
            "Scenario[seed=3",
            "received",
            "replays",
            "seed 3, trace " + ChaosRun.of(3, null).hash());
  }

  @Test
  void rejectsInvalidOptions() {
    assertThat(run("--seeds", "0")).isEqualTo(2);
    assertThat(run("--seed", "3", "--seeds", "4")).isEqualTo(2);
    assertThat(errors.toString())
        .contains("--seeds must be at least 1: 0")
        .contains("--seed runs one seed");
  }

  @Test
  void aViolationIsReportedWithTheCommandThatReproducesIt() {
    Report report = ChaosCommand.report(
        List.of(
            new ChaosRun.Result(41, "0001", 10, 100, 60, null),
            new ChaosRun.Result(42, "00ff", 10, 100, 60, "memory is bounded: a has 3")),
        7);
    assertThat(report.markdown())
        .startsWith("2 of 7 seeds")
        .contains("- seed 42: memory is bounded: a has 3")
        .contains("`./tidegate simulate chaos --seed 42`")
        .doesNotContain("seed 41");
    assertThat(report.json()).contains("\"violation\": \"memory is bounded: a has 3\"");
  }
}
