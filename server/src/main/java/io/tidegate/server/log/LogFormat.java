package io.tidegate.server.log;

/** How a line of the log is written. */
public enum LogFormat {
  /** For people. */
  TEXT,
  /** For programs: an object on each line. */
  JSON
}
