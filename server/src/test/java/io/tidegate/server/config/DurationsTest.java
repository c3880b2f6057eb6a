package io.tidegate.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S, 500ms",
    "60s,   PT1M,   1m",
    "90s,   PT1M30S, 90s",
    "5m,    PT5M,   5m",
    "60m,   PT1H,   1h",
    "1h,    PT1H,   1h",
    "30d,   PT720H, 720h",
    "0s,    PT0S,   0s",
  })
  void isParsedAndShownInTheLargestUnit(String text, Duration duration, String shown) {
    assertThat(Durations.parse(text)).isEqualTo(duration);
    assertThat(Durations.show(duration)).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"99999999999ms", "99999999999d"})
  void longestDurationsFitMilliseconds(String text) {
    assertThat(Durations.parse(text).toMillis()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "5 s", "-1s", "1.5s", "1S", "1w", "123456789012ms"})
  void otherFormsAreRejected(String text) {
    assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
