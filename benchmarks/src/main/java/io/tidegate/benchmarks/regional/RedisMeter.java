package io.tidegate.benchmarks;

import io.tidegate.testkit.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Reads off a Redis server what it has done and what it holds. */
final class RedisMeter {

  /** What the meter itself sends, and clients when they connect. */
  private static final Set<String> NOT_OF_REQUESTS =
      Set.of("info", "flushall", "hello", "client", "client|setinfo");

  /** Sums up the counts of all keys: the totals of Tidegate's cells, and plain numbers. */
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
   * Where the meter stood.
   *
   * @param calls how often each command was called, those of scripts included
   * @param cpu what the server has taken
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

  /** From lines like {@code cmdstat_hset:calls=12,usec=34,...}. */
  static Map<String, Long> parse(String commandStats) {
    Map<String, Long> calls = new HashMap<>();
    for (String line : commandStats.split("\\R")) {
      if (line.startsWith("cmdstat_")) {
        String name = line.substring("cmdstat_".length(), line.indexOf(':'));
        String count = line.substring(line.indexOf("calls=") + "calls=".length());
        if (!NOT_OF_REQUESTS.contains(name)) {
          calls.put(name, Long.parseLong(count.substring(0, count.indexOf(','))));
        }
      }
    }
    return calls;
  }

  /** What all keys count together. */
  long counted() {
    return Long.parseLong(redis.call("EVAL", SUM, "0").get(0));
  }
}
