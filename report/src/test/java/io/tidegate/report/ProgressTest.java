package io.tidegate.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final AtomicLong nanos = new AtomicLong(7);
  private final Progress progress =
      new Progress(new PrintStream(written, false, StandardCharsets.UTF_8), 4, nanos::get);

  @Test
  void remainingTimeFollowsFromTheMeasurementsDone() {
    assertThat(next(Duration.ZERO)).isEqualTo("[1/4] load ...");
    assertThat(next(Duration.ofSeconds(20))).isEqualTo("[2/4] load ...  eta 60 s");
    assertThat(next(Duration.ofSeconds(280))).isEqualTo("[3/4] load ...  eta 5 min");
  }

  @Test
  void lineOverwritesALongerOne() {
    progress.next("x".repeat(50));
    assertThat(next(Duration.ZERO)).isEqualTo("[2/4] load ...  eta 0 s");
    assertThat(lastLine()).hasSize(90);
    progress.end();
    assertThat(written.toString(StandardCharsets.UTF_8)).endsWith("\r" + " ".repeat(90) + "\r");
  }

  /** The line shown after more time has passed. */
  private String next(Duration time) {
    nanos.addAndGet(time.toNanos());
    progress.next("load");
    return lastLine().strip();
  }

  private String lastLine() {
    String text = written.toString(StandardCharsets.UTF_8);
    return text.substring(text.lastIndexOf('\r') + 1);
  }
}
