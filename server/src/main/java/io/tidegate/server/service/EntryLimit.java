package io.tidegate.server.service;

/** How an entry says which limit it asks for. */
public sealed interface EntryLimit {

  /**
   * A limit that the request contains.
   *
   * @param limit tokens per window
   * @param durationMillis the length of the window
   */
  record Sent(long limit, long durationMillis) implements EntryLimit {}

  /**
   * The limit of a rule.
   *
   * @param rule the name of a rule in the domain that has the id of the caller's workspace
   */
  record Named(String rule) implements EntryLimit {}
}
