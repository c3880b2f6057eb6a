package io.tidegate.server.activity;

import java.util.List;

/**
 * The activity in a namespace at one moment.
 *
 * @param busiest the identifiers with the most requests in the last minute, in descending order
 * @param mostDenied the identifiers with the most denials in the last minute, in descending order
 */
public record NamespaceSnapshot(
    String workspace,
    String namespace,
    double allowedPerSecond,
    double deniedPerSecond,
    List<FrequentIdentifier> busiest,
    List<FrequentIdentifier> mostDenied) {

  /** Allowed and denied requests per second. */
  public double decisionsPerSecond() {
    return allowedPerSecond + deniedPerSecond;
  }
}
