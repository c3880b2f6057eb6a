package io.tidegate.server.log;

/** Format of a log line. */
public enum LogFormat {
  /** Readable text: {@link TextLayout}. */
  TEXT,
  /** One JSON object per line: {@link JsonLayout}. */
  JSON
}
