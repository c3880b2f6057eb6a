package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Machine;
import io.tidegate.report.Target;
import io.tidegate.simulator.common.SharingPolicy;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetTargetsTest {

  private static List<String> missed(FleetFiguresFixture... fixtures) {
    List<FleetFigures> fleets =
        Arrays.stream(fixtures).map(FleetFiguresFixture::figures).toList();
    return new FleetReport(Machine.current(), false, fleets)
        .targets().stream().filter(target -> !target.met()).map(Target::text).toList();
  }

  @Test
  void areMetByGoodFigures() {
    assertThat(missed(new FleetFiguresFixture(FleetSize.ONE, 12))).isEmpty();
  }

  @Test
  void areMissedByOneWrongDenial() {
    FleetFiguresFixture wrong = new FleetFiguresFixture(FleetSize.TEN, 40).wrongDenials(1);
    assertThat(missed(wrong)).singleElement().asString().contains("no request is denied");
  }

  @Test
  void areMissedByAFailedCall() {
    assertThat(missed(new FleetFiguresFixture(FleetSize.TEN, 40).failures(2)))
        .singleElement()
        .asString()
        .contains("no call fails");
  }

  @Test
  void areMissedByAPeakOfMoreThanThreeTenths() {
    assertThat(missed(new FleetFiguresFixture(FleetSize.TEN, 40).peakOfShared(1.31)))
        .singleElement()
        .asString()
        .contains("1.1 times the limit");
  }

  @Test
  void areMissedByMoreRowsThanTheReferenceDesignExpects() {
    assertThat(missed(new FleetFiguresFixture(FleetSize.TEN, 40).rowsWritten(1_499)))
        .isEmpty();
    assertThat(missed(new FleetFiguresFixture(FleetSize.TEN, 40).rowsWritten(1_501)))
        .singleElement()
        .asString()
        .contains("60,000 rows/s");
  }

  @Test
  void areMissedByMoreRowsReadThanADatabaseServes() {
    assertThat(missed(new FleetFiguresFixture(FleetSize.ONE, 10).rowsRead(1_500)))
        .isEmpty();
    assertThat(missed(new FleetFiguresFixture(FleetSize.ONE, 10).rowsRead(1_501)))
        .singleElement()
        .asString()
        .contains("15,000 rows/s read");
    assertThat(missed(new FleetFiguresFixture(FleetSize.TEN, 40).rowsRead(12_501)))
        .singleElement()
        .asString()
        .contains("500,000 rows/s read");
    assertThat(missed(new FleetFiguresFixture(FleetSize.HUNDRED, 1_200).rowsRead(1e6)))
        .isEmpty();
  }

  @Test
  void requireOnlyCorrectnessOfTheReferencePolicy() {
    assertThat(missed(new FleetFiguresFixture(FleetSize.ONE, 12, SharingPolicy.FLOOR)
            .peakOfShared(3)
            .rowsWritten(9_000)))
        .isEmpty();
    assertThat(
            missed(new FleetFiguresFixture(FleetSize.ONE, 12, SharingPolicy.FLOOR).wrongDenials(1)))
        .hasSize(1);
  }

  @Test
  void aSampleMustAgreeWithAllSeries() {
    FleetFiguresFixture full = new FleetFiguresFixture(FleetSize.ONE, 1).rowsWritten(720);
    assertThat(missed(full, new FleetFiguresFixture(FleetSize.ONE, 12).rowsWritten(77)))
        .isEmpty();
    assertThat(missed(full, new FleetFiguresFixture(FleetSize.ONE, 12).rowsWritten(79)))
        .singleElement()
        .asString()
        .contains("agrees with all series");
  }
}
