package io.tidegate.benchmarks;

import io.tidegate.report.Percentiles;
import io.tidegate.report.Spread;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * All that a run has measured: one figure for each contender and round, and number of keys or pace.
 */
record RegionalFigures(List<Load> loads, List<Lag> lags, List<Burst> bursts) {

  /**
   * Nodes asked as fast as they can.
   *
   * @param cells how many of the keys came up
   * @param coldPerSecond how many identifiers a second could be met for the first time
   * @param settlingMillis how long Redis took to know all after the last request
   */
  record Load(
      int keys,
      RegionalContender contender,
      int round,
      int cells,
      double coldPerSecond,
      Traffic traffic,
      double settlingMillis,
      Tally tally) {

    /** The most messages that may be sent: one per cell, node and tick. */
    double mostMessagesPerSecond() {
      return (double) cells * RegionalNodes.COUNT * TICKS_PER_SECOND;
    }
  }

  private static final int TICKS_PER_SECOND = 100;

  /**
   * What went on while it was measured.
   *
   * @param messages how many of the commands raise a count of Tidegate's
   */
  record Traffic(
      double seconds, long decisions, long commands, long messages, double redisSeconds) {

    double decisionsPerSecond() {
      return decisions / seconds;
    }

    double commandsPerSecond() {
      return commands / seconds;
    }

    double messagesPerSecond() {
      return messages / seconds;
    }

    double redisPercent() {
      return 100 * redisSeconds / seconds;
    }

    /** What one core for Redis would be good for, however many nodes and threads ask. */
    double decisionsPerRedisSecond() {
      return decisions / redisSeconds;
    }
  }

  /**
   * What was accepted from the first request on.
   *
   * @param counted what Redis held of it in the end; all of it where that cannot be told
   * @param dropped what the nodes know to be missing
   */
  record Tally(long accepted, long counted, long dropped) {

    long lost() {
      return accepted - counted;
    }

    double lostPercent() {
      return 100.0 * lost() / accepted;
    }
  }

  /** How long it took until one node knew what another had accepted, and what a decision took. */
  record Lag(
      RegionalContender contender, int round, Percentiles millis, Percentiles decisionMicros) {}

  /** How the requests for a limit come. */
  enum Pace {
    HAMMERED("hammered"),
    PACED("10x the limit in a second");

    private final String label;

    Pace(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /** How many times its limit was accepted. */
  record Burst(RegionalContender contender, Pace pace, int round, double timesLimit) {}

  Spread load(int keys, RegionalContender contender, ToDoubleFunction<Load> figure) {
    return Spread.of(loads.stream()
        .filter(load -> load.keys == keys && load.contender == contender)
        .mapToDouble(figure)
        .toArray());
  }

  /** How many times as many decisions a second as a contender Tidegate makes in the same round. */
  Spread timesAsFastAs(RegionalContender contender, int keys) {
    return load(keys, contender, load -> {
      Load tidegate = loads.stream()
          .filter(other -> other.keys == keys && other.round == load.round)
          .filter(other -> other.contender == RegionalContender.TIDEGATE)
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("nothing to compare with: " + load));
      return tidegate.traffic.decisionsPerSecond() / load.traffic.decisionsPerSecond();
    });
  }

  /** Of all rounds together; absent where Redis has no counts to compare with. */
  Optional<Tally> tally(RegionalContender contender, int keys) {
    return loads.stream()
        .filter(load -> load.contender == contender && contender.keepsCountsInRedis())
        .filter(load -> load.keys == keys)
        .map(Load::tally)
        .reduce((a, b) ->
            new Tally(a.accepted + b.accepted, a.counted + b.counted, a.dropped + b.dropped));
  }

  Spread lag(RegionalContender contender, ToDoubleFunction<Lag> figure) {
    return Spread.of(lags.stream()
        .filter(lag -> lag.contender == contender)
        .mapToDouble(figure)
        .toArray());
  }

  Spread timesLimit(RegionalContender contender, Pace pace) {
    return Spread.of(bursts.stream()
        .filter(burst -> burst.contender == contender && burst.pace == pace)
        .mapToDouble(Burst::timesLimit)
        .toArray());
  }
}
