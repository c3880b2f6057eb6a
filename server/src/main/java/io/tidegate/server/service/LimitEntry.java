package io.tidegate.server.service;

/**
 * One limit that a request asks for.
 *
 * @param namespace the name or the id of a namespace
 * @param identifier the subject of the limit
 * @param limit the limit, unless an override replaces it
 * @param cost tokens to take; 0 peeks
 */
public record LimitEntry(String namespace, String identifier, EntryLimit limit, long cost) {

  /** Asks for a limit that the request contains. */
  public LimitEntry(
      String namespace, String identifier, long limit, long durationMillis, long cost) {
    this(namespace, identifier, new EntryLimit.Sent(limit, durationMillis), cost);
  }
}
