package io.tidegate.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  private static final Table<Integer> ONE = Table.of(List.of(1))
      .label("", number -> "one")
      .column("n", Integer::doubleValue, Format.COUNT);

  @Test
  void separatesSectionsTablesAndLists() {
    Report report = new Report()
        .paragraph("3 rounds.")
        .section("loads")
        .table(ONE)
        .targets(
            List.of(new Target("at least 2", false, "1.30"), new Target("at most 3", true, "2.90")))
        .losses(List.of("here"));
    assertThat(report.markdown()).isEqualTo("""
        3 rounds.

        ### Loads

        |  | n |
        |---|--:|
        | one | 1 |

        ### Targets

        |  |  | figure |
        |---|--:|--:|
        | at least 2 | missed | 1.30 |
        | at most 3 | met | 2.90 |

        ### Where Tidegate loses

        - here
        """);
  }

  @Test
  void jsonHasTheDataAndTheTargets() {
    Report report = new Report()
        .data("settings", Map.of("quick", true))
        .table(ONE)
        .data("loads", List.of(1, 2.5))
        .targets(List.of(new Target("at least 2", true, "2.00")));
    assertThat(report.json()).isEqualTo("""
        {
          "settings": {
            "quick": true
          },
          "loads": [
            1,
            2.5
          ],
          "targets": [
            {
              "text": "at least 2",
              "met": true,
              "figure": "2.00"
            }
          ]
        }
        """);
  }

  @Test
  void betterFiguresOfAlternativesAreLosses() {
    Rounds<Double> one = new Rounds<>(List.of(1.0));
    Rounds<Double> two = new Rounds<>(List.of(2.0));
    List<String> losses = new ArrayList<>();
    new Comparison<>("ours", two, "theirs", one, losses)
        .low("lag, ms", n -> n, Format.FIGURE)
        .high("lag, ms", n -> n, Format.FIGURE);
    new Comparison<>("ours", one, "theirs", one, losses)
        .low("lag, ms", n -> n, Format.FIGURE)
        .high("lag, ms", n -> n, Format.FIGURE);
    new Comparison<>("ours", one, "theirs", two, losses)
        .low("decisions/s", n -> n, Format.MANY)
        .high("decisions/s", n -> n, Format.MANY);
    assertThat(losses)
        .containsExactly(
            "lag, ms: 1.0 with theirs, 2.0 with ours", "decisions/s: 2 with theirs, 1 with ours");
  }

  @Test
  void noLossIsStated() {
    assertThat(new Report().losses(List.of()).markdown()).contains("Nowhere in this run.");
  }

  @Test
  void busyMachineIsReported() {
    Machine busy = new Machine(2, "CPU", "Linux", "JVM", 1.2, List.of());
    Machine idle = new Machine(2, "CPU", "Linux", "JVM", 0.1, List.of("-Xmx1g"));
    assertThat(new Report().machine(busy).markdown())
        .contains("2 processors (CPU), Linux, JVM, no flags.", "busy", "a load average of 1.2");
    assertThat(new Report().machine(idle).markdown()).contains("`-Xmx1g`").doesNotContain("busy");
  }

  @Test
  void jsonEscapesTextAndWritesFiguresThatAreNotFiniteAsNull() {
    assertThat(Json.of(List.of("a\"\\\n", 0.5, 1e6, Double.NaN, Double.POSITIVE_INFINITY, 7)))
        .isEqualTo("[\n  \"a\\\"\\\\\\u000a\",\n  0.5,\n  1000000,\n  null,\n  null,\n  7\n]\n");
  }

  @Test
  void jsonFileIsWritableUnlessItIsADirectoryOrHasNone(@TempDir Path directory) throws IOException {
    Path file = Files.createFile(directory.resolve("old.json"));
    assertThat(Json.isWritable(file)).isTrue();
    assertThat(Json.isWritable(directory.resolve("new.json"))).isTrue();
    assertThat(Json.isWritable(directory)).isFalse();
    assertThat(Json.isWritable(directory.resolve("missing/new.json"))).isFalse();
  }
}
