package io.tidegate.server.config;

import java.time.Duration;

/**
 * Bounds on memory, connections, threads and time.
 *
 * @param maxSeries maximum series in memory
 * @param maxBodyBytes maximum size of a request body
 * @param maxConnections maximum client connections
 * @param requestTimeout maximum duration of a request
 * @param idleTimeout time until an idle connection is closed
 * @param stopDelay time for which a stopping node is not ready but still accepts requests
 * @param stopTimeout maximum time to finish open requests after that
 * @param eventLoops threads that serve requests
 */
public record ResourceConfig(
    int maxSeries,
    int maxBodyBytes,
    int maxConnections,
    Duration requestTimeout,
    Duration idleTimeout,
    Duration stopDelay,
    Duration stopTimeout,
    int eventLoops) {

  /** More than any machine has processors; a larger number is a typing error. */
  private static final int MAX_EVENT_LOOPS = 1_024;

  /** A body is held in memory and copied once. */
  private static final int MAX_BODY_BYTES = 100 << 20;

  private static final Duration SHORTEST = Duration.ofMillis(1);

  /** A longer timeout is as good as none; a larger number is a typing error. */
  private static final Duration LONGEST = Duration.ofHours(24);

  static ResourceConfig read(Settings settings) {
    return new ResourceConfig(
        settings.number(Setting.MAX_SERIES, 1, Integer.MAX_VALUE).orElseThrow(),
        settings.number(Setting.MAX_BODY_BYTES, 1, MAX_BODY_BYTES).orElseThrow(),
        settings.number(Setting.MAX_CONNECTIONS, 1, Integer.MAX_VALUE).orElseThrow(),
        settings.duration(Setting.REQUEST_TIMEOUT, SHORTEST, LONGEST).orElseThrow(),
        settings.duration(Setting.IDLE_TIMEOUT, SHORTEST, LONGEST).orElseThrow(),
        settings.duration(Setting.STOP_DELAY, Duration.ZERO, LONGEST).orElseThrow(),
        settings.duration(Setting.STOP_TIMEOUT, SHORTEST, LONGEST).orElseThrow(),
        settings
            .number(Setting.EVENT_LOOPS, 1, MAX_EVENT_LOOPS)
            .orElseGet(() -> Runtime.getRuntime().availableProcessors()));
  }
}
