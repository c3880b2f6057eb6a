package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.log.LogFormat;
import io.tidegate.server.log.LogLevel;
import io.tidegate.server.log.Logging;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeapCheckTest {

  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  @BeforeEach
  void captureLog() {
    Logging.configure(
        LogFormat.TEXT, LogLevel.INFO, new PrintStream(log, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restoreLog() {
    Logging.configure(LogFormat.TEXT, LogLevel.ERROR, System.err);
  }

  @Test
  void seriesThatOthersCountTooNeedMore() {
    assertThat(HeapCheck.neededBytes(1_000_000, false)).isEqualTo(265_000_000);
    assertThat(HeapCheck.neededBytes(1_000_000, true)).isEqualTo(395_000_000);
    assertThat(HeapCheck.neededBytes(Integer.MAX_VALUE, true)).isEqualTo(633_607_675_865L);
  }

  @Test
  void warnsOfAHeapThatIsTooSmall() {
    HeapCheck.warnIfSmall(10_000_000, true, 956_000_000);

    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("maxSeries=10000000 heapMegabytes=956 neededMegabytes=3050")
        .contains("TIDEGATE_HEAP");
  }

  @Test
  void saysNothingOfAHeapThatIsLargeEnough() {
    HeapCheck.warnIfSmall(1_000_000, true, 395_000_000);

    assertThat(log.toString(StandardCharsets.UTF_8)).isEmpty();
  }
}
