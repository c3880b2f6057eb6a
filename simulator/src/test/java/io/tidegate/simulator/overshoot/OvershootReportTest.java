package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Plot;
import io.tidegate.report.Report;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.overshoot.TrialResults.Case;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/** Tables, JSON and plots of given results. */
class OvershootReportTest {

  private static final OvershootSettings SETTINGS = new OvershootSettings(
      10,
      3,
      1_000,
      1,
      false,
      List.of(TrafficPattern.EVEN, TrafficPattern.OVERSIZED),
      List.of(1.2, 2.0),
      List.of(SharingPolicy.BLOCKLIST, SharingPolicy.ADAPTIVE),
      true);

  private final TrialResults figures = Fixtures.figures(
      SETTINGS,
      Map.of(
          new Case(TrafficPattern.EVEN, 2, SharingPolicy.BLOCKLIST), Fixtures.outcome(2.071, 42, 0),
          new Case(TrafficPattern.EVEN, 1.2, SharingPolicy.BLOCKLIST),
              Fixtures.outcome(1.25, 1, 3.25)));

  private final Report report = new OvershootReport(SETTINGS, figures).report();
  private final String markdown = report.markdown();

  @Test
  void startsWithTheSettings() {
    assertThat(markdown)
        .startsWith(
            "10 regions of 3 nodes each, one series with a limit of 1,000 per window, seed 1.\n")
        .doesNotContain("Quick run");
  }

  @Test
  void hasATableForEachPattern() {
    assertThat(markdown)
        .contains(
            "### Even over all regions\n",
            "|  | 1.2x | 2x | mean worst | wrongly denied | rows read | lag p50, s | p99, s | never received |\n",
            "| one counter for all | 1.00 | 1.00 | 1.00 | 0 | – | – | – | – |\n",
            "| blocklist, 10 s | 1.25 / 3.3 | 2.08 / 0.0 | 2.07 | 43 | 0 | 1.5 | 4.0 | 25 % |\n",
            "| adaptive, 0.25 s | 1.01 / 5.0 | 1.01 / 5.0 | 1.00 | 0 | 150 | 1.5 | 4.0 | 25 % |\n");
  }

  @Test
  void hasATableForEachPatternWithAFixedLoad() {
    assertThat(markdown)
        .contains(
            "### An oversized request\n",
            "| one counter for all | 1,000 | 10 | 0 | 0 % | 1.00 | – |\n",
            "| adaptive, 0.25 s | 1,000 | 50 | 0 | 0 % | 1.01 | 5.0 |\n");
  }

  @Test
  void hasTheCurves() {
    assertThat(markdown)
        .contains(
            "### Overshoot and rows by interval, even over all regions 10x\n",
            "| adaptive, 0.5 s | 1.01 | 1.00 | 5.0 | 150 | 1.5 |\n");
  }

  @Test
  void endsWithTargetsAndLosses() {
    assertThat(markdown).contains("### Targets\n", "### Where Tidegate loses\n");
  }

  @Test
  void jsonHasAllTrials() {
    String json = report.json();
    assertThat(json)
        .contains(
            "\"regions\": 10",
            "\"even over all regions, 2.0 times the limit, blocklist, 10 s\": {",
            "\"worst\": 2.071",
            "\"p99\": 4");
    assertThat(json.split("\"worst\"")).hasSize(figures.results().size() + 1);
  }

  @Test
  void plotsAreWellFormed() throws Exception {
    Map<String, Plot> plots = new OvershootPlots(SETTINGS, figures).plots();
    assertThat(plots)
        .containsOnlyKeys("rows-2x.svg", "rows-10x.svg", "load-even.svg", "overshoot.svg");
    for (Plot plot : plots.values()) {
      assertThat(DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(plot.svg())))
              .getDocumentElement()
              .getTagName())
          .isEqualTo("svg");
    }
  }
}
