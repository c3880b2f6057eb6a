package io.tidegate.server.service;

/** Receives what {@link RuleService} decides, for metrics. Called by any thread; must not block. */
public interface RuleObserver {

  /**
   * A rule was evaluated with at least one hit.
   *
   * @param rule the name of the rule in metrics; may contain text of clients
   * @param hits tokens that the gateway asked for
   * @param within tokens that were taken within the limit
   * @param near those of them that were taken above 80 % of the limit
   * @param over tokens that exceeded the limit. Those that are neither within nor over were not
   *     taken because another limit denied the request
   */
  void decided(String rule, long hits, long within, long near, long over);

  /**
   * A rule was exceeded, and the request let through because of shadow mode.
   *
   * @param rule the name of the rule in metrics; may contain text of clients
   * @param over tokens that exceeded the limit
   */
  void shadowed(String rule, long over);

  /** A gateway asked to give hits back, which was ignored. */
  void negativeHits(long hits);

  /** A request had a domain that no rule file has. */
  void unknownDomain();
}
