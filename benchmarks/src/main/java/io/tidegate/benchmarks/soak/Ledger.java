package io.tidegate.benchmarks.soak;

import io.tidegate.testkit.RedisServer;

/**
 * What was admitted, and what Redis has counted. Each request takes one token of a tenant, whose
 * window is longer than the run.
 *
 * @param admitted requests that were answered 2xx
 * @param unknown requests without an answer, which may have been counted or not
 * @param counted tokens of all tenants in Redis
 */
record Ledger(long admitted, long unknown, long counted) {

  private static final String SUM = """
      local sum = 0
      for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
        sum = sum + (redis.call('HGET', key, ':total') or 0)
      end
      return string.format('%.0f', sum)
      """;

  /** Adds up the tenants' cells in Redis. */
  static long count(RedisServer redis) {
    String cells = "tidegate:{*:" + Traffic.TENANTS + ":" + Traffic.TENANT_MILLIS + ":*:counts";
    return Long.parseLong(redis.call("EVAL", SUM, "0", cells).get(0));
  }

  boolean balances() {
    return counted >= admitted && counted <= admitted + unknown;
  }
}
