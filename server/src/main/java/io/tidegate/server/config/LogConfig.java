package io.tidegate.server.config;

import io.tidegate.server.log.LogDenials;
import io.tidegate.server.log.LogFormat;
import io.tidegate.server.log.LogLevel;

/**
 * Logging.
 *
 * @param format the format of a line
 * @param level the level of the log
 * @param denials the denials to log
 */
public record LogConfig(LogFormat format, LogLevel level, LogDenials denials) {

  static LogConfig read(Settings settings) {
    LogConfig config = new LogConfig(
        settings.choice(Setting.LOG_FORMAT, LogFormat.class),
        settings.choice(Setting.LOG_LEVEL, LogLevel.class),
        settings.choice(Setting.LOG_DENIALS, LogDenials.class));
    if (config.denials != LogDenials.OFF && config.level.compareTo(LogLevel.INFO) < 0) {
      settings.warn(
          "log-denials has no effect: denials are logged at level info, which log-level excludes");
    }
    return config;
  }
}
