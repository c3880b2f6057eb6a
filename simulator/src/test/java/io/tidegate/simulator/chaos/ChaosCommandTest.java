package io.tidegate.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
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
    assertThat(run("--seeds", "3", "--threads", "2")).isZero();
    assertThat(output()).startsWith("3 of 3 seeds").contains("every guarantee held");
  }

  @Test
  void theNumberOfThreadsDoesNotChangeTheReport() {
    run("--seeds", "4", "--threads", "1");
    String single = output();
    printed.reset();
    run("--seeds", "4", "--threads", "3");
    assertThat(output()).isEqualTo(single);
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
    assertThat(run("--threads", "0")).isEqualTo(2);
    assertThat(run("--from", "9223372036854775807")).isEqualTo(2);
    assertThat(run("--seed", "3", "--seeds", "4")).isEqualTo(2);
    assertThat(errors.toString())
        .contains("--seeds must be at least 1: 0")
        .contains("--threads must be at least 1: 0")
        .contains("--from must leave room for all seeds: 9223372036854775807")
        .contains("--seed runs one seed");
  }

  @Test
  void aViolationIsReportedWithTheCommandThatReproducesIt() {
    ChaosReport report = new ChaosReport();
    report.add(new ChaosRun.Result(42, "00ff", 10, 100, 60, "memory is bounded: a has 3"));
    assertThat(report.report(7).markdown())
        .startsWith("1 of 7 seeds")
        .contains("- seed 42: memory is bounded: a has 3")
        .contains("`./tidegate simulate chaos --seed 42`");
    assertThat(report.report(7).json()).contains("\"violation\": \"memory is bounded: a has 3\"");
  }
}
