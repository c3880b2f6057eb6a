package io.tidegate.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.server.log.LineBudget;
import io.tidegate.server.log.LogDenials;
import io.tidegate.server.log.LogFormat;
import io.tidegate.server.log.LogLevel;
import io.tidegate.server.log.Logging;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DenialLogTest {

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final AtomicLong nanos = new AtomicLong();
  private final RateLimiter limiter = RateLimiter.inMemory();
  private final LimitRequest request = LimitRequest.of("ws_1", "calls", "user", Limit.perMinute(0));

  @BeforeEach
  void captureLog() {
    Logging.configure(
        LogFormat.TEXT, LogLevel.INFO, new PrintStream(written, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void close() {
    Logging.configure(LogFormat.TEXT, LogLevel.ERROR, System.err);
    limiter.close();
  }

  @Test
  void lineReportsTheDenialsSuppressedBeforeIt() {
    DenialLog log = new DenialLog(LogDenials.SAMPLED, new LineBudget(1, nanos::get));
    deny(log);
    deny(log);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    deny(log);

    assertThat(lines()).hasSize(2);
    assertThat(lines().get(0)).doesNotContain("suppressed");
    assertThat(lines().get(1)).endsWith(" suppressed=1");
  }

  @Test
  void nothingIsLoggedUnlessItIsOn() {
    deny(new DenialLog(LogDenials.OFF));
    assertThat(lines()).isEmpty();
  }

  private void deny(DenialLog log) {
    log.log("req_1", request, limiter.tryAcquire(request));
  }

  private List<String> lines() {
    return written.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
