package io.tidegate.benchmarks.regional;

import io.tidegate.testkit.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Reads the command statistics, CPU time and counts of a Redis server. */
final class RedisMeter {

  /** Commands of the meter itself, and of clients when they connect. */
  private static final Set<String> IGNORED =
      Set.of("info", "flushall", "hello", "client", "client|setinfo");

  /** Adds up the counts of all keys: the totals of Tidegate's cells, and plain numbers. */
  private static final String SUM = """
      local sum = 0
      for _, key in ipairs(redis.call('KEYS', '*')) do
        if redis.call('TYPE', key).ok == 'hash' then
          sum = sum + redis.call('HGET', key, ':total')
        elseif not string.find(key, ':identity$') then
          sum = sum + redis.call('GET', key)
        end
      end
      return string.format('%.0f', sum)
      """;

  private final RedisServer redis;

  RedisMeter(RedisServer redis) {
    this.redis = redis;
  }

  /**
   * Statistics since the start of the server.
   *
   * @param calls number of calls of each command, including those in scripts
   */
  record Reading(Map<String, Long> calls, Duration cpu) {

    long commands() {
      return calls.values().stream().mapToLong(Long::longValue).sum();
    }

    long commands(String name) {
      return calls.getOrDefault(name, 0L);
    }
  }

  Reading read() {
    return new Reading(
        parse(String.join("\n", redis.call("INFO", "commandstats"))), redis.cpuTime());
  }

  /** Parses lines like {@code cmdstat_hset:calls=12,usec=34,...}. */
  static Map<String, Long> parse(String commandStats) {
    Map<String, Long> calls = new HashMap<>();
    for (String line : commandStats.lines().toList()) {
      if (line.startsWith("cmdstat_")) {
        String name = line.substring("cmdstat_".length(), line.indexOf(':'));
        String count = line.substring(line.indexOf("calls=") + "calls=".length());
        if (!IGNORED.contains(name)) {
          calls.put(name, Long.parseLong(count.substring(0, count.indexOf(','))));
        }
      }
    }
    return calls;
  }

  /** The sum of the counts of all keys. */
  long counted() {
    return Long.parseLong(redis.call("EVAL", SUM, "0").get(0));
  }
}
