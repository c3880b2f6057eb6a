package io.tidegate.benchmarks.regional;

import io.tidegate.testkit.RedisServer;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the command statistics, CPU time and counts of a Redis server. */
record RedisMeter(RedisServer redis) {

  /** Commands of the meter itself, and of clients when they connect. */
  private static final Set<String> IGNORED =
      Set.of("info", "flushall", "hello", "client", "client|setinfo");

  private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");

  /** Adds up the counts of all keys: the totals of Tidegate's cells, and plain numbers. */
  private static final String SUM = """
      local sum = 0
      for _, key in ipairs(redis.call('KEYS', '*')) do
        local type = redis.call('TYPE', key).ok
        if type == 'hash' then
          sum = sum + (redis.call('HGET', key, ':total') or 0)
        elseif type == 'string' and not string.find(key, ':identity$')
            and not string.find(key, ':reader$') then
          sum = sum + redis.call('GET', key)
        end
      end
      return string.format('%.0f', sum)
      """;

  /**
   * Statistics since the start of the server.
   *
   * @param commands number of all commands, including those in scripts
   * @param messages number of commands that raised a count of Tidegate
   */
  record Reading(long commands, long messages, double cpuSeconds) {

    Reading since(Reading before) {
      return new Reading(
          commands - before.commands, messages - before.messages, cpuSeconds - before.cpuSeconds);
    }
  }

  Reading read() {
    Map<String, Long> calls = parse(String.join("\n", redis.call("INFO", "commandstats")));
    long commands = calls.values().stream().mapToLong(Long::longValue).sum();
    return new Reading(commands, calls.getOrDefault("hset", 0L), redis.cpuTime().toNanos() / 1e9);
  }

  /** Parses lines like {@code cmdstat_hset:calls=12,usec=34,...}. */
  static Map<String, Long> parse(String commandStats) {
    return CALLS
        .matcher(commandStats)
        .results()
        .filter(line -> !IGNORED.contains(line.group(1)))
        .collect(Collectors.toMap(line -> line.group(1), line -> Long.valueOf(line.group(2))));
  }

  long counted() {
    return Long.parseLong(redis.call("EVAL", SUM, "0").get(0));
  }
}
