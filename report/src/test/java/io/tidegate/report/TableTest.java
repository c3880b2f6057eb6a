package io.tidegate.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTest {

  private record Load(String contender, int round, int threads, double perSecond) {}

  private static final List<Load> LOADS = List.of(
      new Load("ours", 1, 1, 20_000),
      new Load("theirs", 1, 1, 10_000),
      new Load("ours", 2, 1, 30_000),
      new Load("ours", 1, 2, 50_000));

  private final Table<Load> byThreads = Table.of(LOADS)
      .label("who", Load::contender)
      .where(load -> load.threads == 1, one -> one.column("1 thread", Load::perSecond, Format.MANY))
      .where(
          load -> load.threads == 2, two -> two.column("2 threads", Load::perSecond, Format.MANY))
      .text("rounds", rows -> rows.size() + " rows");

  @Test
  void markdownHasOneLineForRowsWithTheSameLabel() {
    assertThat(byThreads.markdown()).isEqualTo("""
        | who | 1 thread | 2 threads | rounds |
        |---|--:|--:|--:|
        | ours | 25.0 k [20.0 k..30.0 k] | 50.0 k | 3 rows |
        | theirs | 10.0 k | – | 1 rows |""");
  }

  @Test
  void figuresThatAreNotFiniteWereNotMeasured() {
    Table<Double> table = Table.of(List.of(1.0, Double.NaN, 3.0, Double.NaN))
        .label("", figure -> figure == 3 ? "3" : "1 and none")
        .column("n", figure -> figure, Format.FIGURE)
        .where(figure -> figure.isNaN(), none -> none.column("none", n -> n, Format.FIGURE));
    assertThat(table.markdown()).contains("| 1 and none | 1.0 | – |", "| 3 | 3.0 | – |");
  }

  @Test
  void referenceComesFirstAndFillsTheColumnsItNames() {
    byThreads.reference("expected", Map.of("2 threads", "40 k"));
    assertThat(byThreads.markdown().lines().skip(2).findFirst())
        .hasValue("| expected | – | 40 k | – |");
  }

  @Test
  void conditionInsideAConditionNeedsBoth() {
    Table<Load> table = Table.of(LOADS)
        .label("who", load -> "all")
        .where(
            load -> load.contender.equals("ours"),
            ours -> ours.where(
                load -> load.threads == 1,
                one -> one.column("load", Load::perSecond, Format.MANY)));
    assertThat(table.markdown()).endsWith("| all | 25.0 k [20.0 k..30.0 k] |");
  }
}
