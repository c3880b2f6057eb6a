package io.tidegate.benchmarks.regional;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.report.Machine;
import io.tidegate.report.Percentiles;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import io.tidegate.report.Table;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** All figures of a run, and the report on them. */
record Results(
    Settings settings, Rounds<Load> loads, Rounds<Lag> lags, Rounds<Overshoot> overshoots) {

  /** Ticks per second of Tidegate's replay. */
  private static final int TICKS_PER_SECOND = 100;

  /**
   * Nodes under as much load as they can decide.
   *
   * @param cells keys that were used
   * @param coldPerSecond decisions per second on keys that a node has not seen before
   * @param messages commands that raised a count of Tidegate
   * @param settleMillis time from the last request until Redis had all counts
   */
  record Load(
      int keys,
      Contender contender,
      int round,
      int cells,
      double coldPerSecond,
      double seconds,
      long decisions,
      long commands,
      long messages,
      double redisSeconds,
      double settleMillis,
      Tally tally) {

    double decisionsPerSecond() {
      return decisions / seconds;
    }

    double commandsPerSecond() {
      return commands / seconds;
    }

    double messagesPerSecond() {
      return messages / seconds;
    }

    /** The bound on messages: one per cell, node and tick. */
    double mostMessagesPerSecond() {
      return (double) cells * Nodes.COUNT * TICKS_PER_SECOND;
    }

    double redisPercent() {
      return 100 * redisSeconds / seconds;
    }

    /** Decisions that one core for Redis would carry, with any number of nodes and threads. */
    double decisionsPerRedisSecond() {
      return decisions / redisSeconds;
    }
  }

  /**
   * Tokens since the first request.
   *
   * @param counted tokens that Redis counted in the end
   * @param dropped tokens that the nodes knew to be missing
   */
  record Tally(long admitted, long counted, long dropped) {

    long lost() {
      return admitted - counted;
    }

    Tally plus(Tally other) {
      return new Tally(admitted + other.admitted, counted + other.counted, dropped + other.dropped);
    }

    String lostPercent() {
      return String.format(Locale.ROOT, "%.1f %%", 100.0 * lost() / admitted);
    }

    String lostOfAll() {
      String share = lost() == 0 ? "" : " (" + lostPercent() + ")";
      return MANY.of(lost()) + " of " + MANY.of(admitted) + share;
    }
  }

  /**
   * Time until one node counted what another admitted, and the time of decisions meanwhile.
   *
   * @param millis the lag
   */
  record Lag(Contender contender, int round, Percentiles millis, Percentiles decisionMicros) {}

  /** The pace of the requests for one limit. */
  enum Pace {
    UNTHROTTLED("unthrottled"),
    PACED("10x the limit in a second");

    private final String label;

    Pace(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /** Admitted tokens as a multiple of the limit. */
  record Overshoot(Contender contender, Pace pace, int round, double timesLimit) {}

  Rounds<Load> loads(int keys, Contender contender) {
    return loads.where(load -> load.keys == keys && load.contender == contender);
  }

  Rounds<Lag> lags(Contender contender) {
    return lags.where(lag -> lag.contender == contender);
  }

  Rounds<Overshoot> overshoots(Contender contender, Pace pace) {
    return overshoots.where(row -> row.contender == contender && row.pace == pace);
  }

  /** Decisions per second of Tidegate as a multiple of a contender's in the same round. */
  ToDoubleFunction<Load> timesFewer() {
    ToDoubleFunction<Load> ofTidegate = loads.ratioTo(
        load -> load.contender == Contender.TIDEGATE,
        load -> List.of(load.keys, load.round),
        Load::decisionsPerSecond);
    return load -> 1 / ofTidegate.applyAsDouble(load);
  }

  /** The sum over all rounds. */
  static Tally tally(List<Load> loads) {
    return loads.stream().map(Load::tally).reduce(new Tally(0, 0, 0), Tally::plus);
  }

  Report report(Machine machine) {
    Report report = new Report()
        .machine(machine)
        .data("settings", settings)
        .paragraph(
            "%d nodes with a thread each, %d rounds; in each %d ms measured after %d ms of warm-up."
                .formatted(
                    Nodes.COUNT,
                    settings.rounds(),
                    settings.loadMillis(),
                    settings.warmupMillis()));
    if (settings.quick()) {
      report.quick("fewer keys than the 100,000 of the targets, and little time for each figure.");
    }
    report.paragraph(
        "Nodes, Redis and the load generators share the processors. Figures are median [min..max] of the rounds.");
    settings.keys().forEach(keys -> reportLoad(report, keys));
    report
        .section("Lag and decision time")
        .paragraph(
            "Lag is the time from a request that one node admits until the other node, which uses the key every 2 ms,"
                + " counts it; %d samples per round, while each node decides on %s keys %s times per second. Decision time is"
                    .formatted(
                        settings.lagSamples(),
                        COUNT.of(LagProbe.BACKGROUND_KEYS),
                        COUNT.of(LagProbe.BACKGROUND_PER_SECOND))
                + " that of the decisions on the shared key. bucket4j has no lag by design: each of its decisions is"
                + " a round trip.")
        .table("lags", lagTable());
    report
        .section("Overshoot of two nodes")
        .paragraph(
            "Admitted tokens as a multiple of a limit of %s, when both nodes receive requests for the same key:"
                    .formatted(COUNT.of(Settings.SCANT.tokens()))
                + " unthrottled until both deny, and at a steady rate.")
        .table("overshoots", overshootTable());
    Targets targets = new Targets(this);
    return report.targets(targets.targets()).losses(targets.losses());
  }

  private void reportLoad(Report report, int keys) {
    double cells = loads(keys, Contender.TIDEGATE).of(Load::cells).median();
    report
        .section("%s keys, zipf, unthrottled".formatted(COUNT.of(keys)))
        .paragraph(
            "%s of the keys were used. Messages are Tidegate's HSETs, each in a script with an HMGET and a PEXPIRE."
                    .formatted(COUNT.of(cells))
                + " Commands are all that Redis ran, including those in scripts.")
        .table("loads", loadTable(keys));
  }

  private Table<Load> loadTable(int keys) {
    List<Load> rows = loads.rows().stream()
        .filter(load -> load.keys == keys)
        .sorted(Comparator.comparing(Load::contender))
        .toList();
    return Table.of(rows)
        .label("", load -> load.contender.label())
        .field("keys", Load::keys)
        .field("contender", load -> load.contender.label())
        .field("round", Load::round)
        .field("cells", Load::cells)
        .field("seconds", Load::seconds)
        .column("decisions/s", "decisionsPerSecond", Load::decisionsPerSecond, MANY)
        .where(
            load -> load.contender != Contender.TIDEGATE,
            others -> others.column("times fewer than Tidegate", timesFewer(), RATIO))
        .where(
            load -> load.contender == Contender.TIDEGATE,
            ours -> ours.column("messages/s", "messagesPerSecond", Load::messagesPerSecond, MANY)
                .field("mostMessagesPerSecond", Load::mostMessagesPerSecond))
        .column("Redis commands/s", "redisCommandsPerSecond", Load::commandsPerSecond, MANY)
        .column("Redis, % of a core", "redisPercent", Load::redisPercent, FIGURE)
        .column(
            "decisions per second of Redis' CPU",
            "decisionsPerRedisSecond",
            Load::decisionsPerRedisSecond,
            MANY)
        .field("admitted", load -> load.tally.admitted())
        .where(
            load -> load.contender.keepsCountsInRedis(),
            counting -> counting
                .field("lost", load -> load.tally.lost())
                .field("dropped", load -> load.tally.dropped())
                .text("lost", same -> tally(same).lostOfAll()))
        .column("cold keys/s", "coldPerSecond", Load::coldPerSecond, MANY)
        .column("all counts in Redis after, ms", "settleMillis", Load::settleMillis, FIGURE);
  }

  private Table<Lag> lagTable() {
    return Table.of(
            lags.rows().stream().sorted(Comparator.comparing(Lag::contender)).toList())
        .label("", lag -> lag.contender.label())
        .field("contender", lag -> lag.contender.label())
        .field("round", Lag::round)
        .column("lag p50, ms", "p50Millis", lag -> lag.millis.p50(), FIGURE)
        .column("lag p99, ms", "p99Millis", lag -> lag.millis.p99(), FIGURE)
        .column("lag max, ms", "maxMillis", lag -> lag.millis.max(), FIGURE)
        .column("decision p50, µs", "decisionP50Micros", lag -> lag.decisionMicros.p50(), FIGURE)
        .column("decision p99, µs", "decisionP99Micros", lag -> lag.decisionMicros.p99(), FIGURE);
  }

  private Table<Overshoot> overshootTable() {
    Table<Overshoot> table = Table.of(overshoots.rows().stream()
            .sorted(Comparator.comparing(Overshoot::contender))
            .toList())
        .label("", row -> row.contender.label())
        .field("contender", row -> row.contender.label())
        .field("pace", row -> row.pace.label())
        .field("round", Overshoot::round);
    for (Pace pace : Pace.values()) {
      table.where(
          row -> row.pace == pace,
          columns -> columns.column(pace.label(), "timesLimit", Overshoot::timesLimit, RATIO));
    }
    return table;
  }
}
