package io.tidegate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FailureLogTest {

  private final Exception cause =
      new RuntimeException("outer", new IllegalStateException("refused"));

  private final Logger logger = Logger.getLogger("io.tidegate");
  private final List<String> logged = new ArrayList<>();
  private final Handler handler = new Handler() {
    @Override
    public void publish(LogRecord entry) {
      logged.add(entry.getLevel() + " " + new SimpleFormatter().formatMessage(entry));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  };
  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
  private final FailureLog log = new FailureLog("It fails", "It works again", time);

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }

  @Test
  void logsAnOutageOnceAndItsEndOnce() {
    for (int i = 0; i < 1_000; i++) {
      log.failed("read", cause);
      log.failed("replay", cause);
    }
    time.advance(Duration.ofSeconds(1));
    log.worked();
    log.worked();
    assertThat(logged)
        .containsExactly(
            "WARNING It fails (read failed: java.lang.IllegalStateException: refused)",
            "INFO It works again (2,000 failures so far)");
  }

  @Test
  void repeatsTheWarningEveryTenSeconds() {
    for (int i = 0; i < 300; i++) {
      log.failed("read", cause);
      time.advance(Duration.ofMillis(100));
    }
    assertThat(logged).hasSize(3);
  }

  @Test
  void alternatingOutcomesDoNotFloodTheLog() {
    for (int i = 0; i < 300; i++) {
      log.failed("read", cause);
      log.worked();
      time.advance(Duration.ofMillis(100));
    }
    assertThat(logged).hasSize(3).allMatch(line -> line.startsWith("WARNING"));
  }

  @Test
  void outageIsNotOverWhileOnePartFails() {
    for (int i = 0; i < 50; i++) {
      log.failed("replay", cause); // Redis is out of memory
      time.advance(Duration.ofMillis(100));
      log.worked(); // reads still work
    }
    assertThat(logged).hasSize(1);
  }

  @Test
  void logsNothingWithoutFailure() {
    log.worked();
    assertThat(logged).isEmpty();
  }
}
