package io.tidegate.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SettingsTest {

  @Test
  void theLoadOfAnHourRisesOverItsFirstFiveMinutes() {
    Settings hour = Settings.of(false, 60, 0, true);
    assertThat(IntStream.range(0, 7).mapToDouble(minute -> hour.loadAt(minute * 60)))
        .containsExactly(0.2, 0.4, 0.6, 0.8, 1.0, 1.0, 1.0);
  }

  @Test
  void theLoadOfAShortRunRisesOverItsFirstHalf() {
    Settings minute = Settings.of(true, 1, 0, true);
    assertThat(IntStream.range(0, 6).mapToDouble(row -> minute.loadAt(row * 10)))
        .containsExactly(1 / 3.0, 2 / 3.0, 1.0, 1.0, 1.0, 1.0);
  }

  @Test
  void thePoolHasAConnectionForEveryRequestOfHalfASecond() {
    assertThat(Settings.connections(10_000)).isEqualTo(5_000);
    assertThat(Settings.connections(1)).isEqualTo(100);
    assertThat(Settings.connections(1_000_000)).isEqualTo(8_000);
  }

  @Test
  void aRunOfOneIntervalHasTheFullLoad() {
    Settings tiny = new Settings(true, false, 4, 4, 200, 200, 5, 300, 1, 5);
    assertThat(tiny.loadAt(0)).isEqualTo(1.0);
  }
}
