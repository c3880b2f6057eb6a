package io.tidegate.server.log;

/** Which denials are logged. */
public enum LogDenials {
  /** None. */
  OFF,
  /** Some, within a bound of lines per second. */
  SAMPLED
}
