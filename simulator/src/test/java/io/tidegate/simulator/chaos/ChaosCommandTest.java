package io.tidegate.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import picocli.CommandLine;

@ExtendWith(Quiet.class)
class ChaosCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter errors = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new ChaosCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(errors))
        .execute(arguments);
  }

  @Test
  void runsSeedsAndReportsThatAllGuaranteesHeld() {
    assertThat(run("--seeds", "3", "--threads", "2")).isZero();
    assertThat(out.toString()).startsWith("3 of 3 seeds").contains("every guarantee held");
  }

  @Test
  void theNumberOfThreadsDoesNotChangeTheReport() {
    run("--seeds", "4", "--threads", "1");
    String alone = out.toString();
    out.getBuffer().setLength(0);
    run("--seeds", "4", "--threads", "3");
    assertThat(out.toString()).isEqualTo(alone);
  }

  @Test
  void aSingleSeedPrintsItsTrace() {
    assertThat(run("--seed", "3")).isZero();
    assertThat(out.toString())
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
    assertThat(report.markdown(7))
        .startsWith("1 of 7 seeds")
        .contains("- seed 42: memory is bounded: a has 3")
        .contains("`./tidegate simulate chaos --seed 42`");
  }
}
