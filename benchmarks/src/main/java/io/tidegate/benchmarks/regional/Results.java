package io.tidegate.benchmarks.regional;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.report.Format;
import io.tidegate.report.Machine;
import io.tidegate.report.Percentiles;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import io.tidegate.report.Table;
import java.util.List;
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
   * @param messagesPerSecond commands that raised a count of Tidegate
   * @param settleMillis time from the last request until Redis had all counts
   * @param admitted tokens since the first request
   * @param counted tokens that Redis counted in the end
   */
  record Load(
      int keys,
      Contender contender,
      int round,
      int cells,
      double coldPerSecond,
      double decisionsPerSecond,
      double messagesPerSecond,
      double commandsPerSecond,
      double redisPercent,
      double settleMillis,
      long admitted,
      long counted) {

    /** The bound on messages: one per cell, node and tick. */
    double mostMessagesPerSecond() {
      return (double) cells * Nodes.COUNT * TICKS_PER_SECOND;
    }

    /** Decisions that one core for Redis would carry, with any number of nodes and threads. */
    double decisionsPerRedisSecond() {
      return 100 * decisionsPerSecond / redisPercent;
    }
  }

  /** Lost tokens of several rounds. */
  record Loss(long lost, long admitted) {

    static Loss of(List<Load> loads) {
      long admitted = loads.stream().mapToLong(Load::admitted).sum();
      return new Loss(admitted - loads.stream().mapToLong(Load::counted).sum(), admitted);
    }

    String percent() {
      return Format.FINE_PERCENT.of((double) lost / admitted);
    }

    @Override
    public String toString() {
      String share = lost == 0 ? "" : " (" + percent() + ")";
      return MANY.of(lost) + " of " + MANY.of(admitted) + share;
    }
  }

  /** Time until one node counted what another admitted, and the time of decisions meanwhile. */
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

  /** Decisions per second of Tidegate as a multiple of a contender's in the same round. */
  ToDoubleFunction<Load> timesFewer() {
    return loads.ratioTo(
        load -> load.contender == Contender.TIDEGATE,
        load -> List.of(load.keys, load.round),
        load -> 1 / load.decisionsPerSecond);
  }

  Report report(Machine machine) {
    Report report = new Report().machine(machine).data("results", this);
    report.paragraph(
        "%d nodes with a thread each, %d rounds; in each %d ms measured after %d ms of warm-up."
            .formatted(
                Nodes.COUNT, settings.rounds(), settings.loadMillis(), settings.warmupMillis()));
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
        .table(lagTable());
    report
        .section("Overshoot of two nodes")
        .paragraph(
            "Admitted tokens as a multiple of a limit of %s, when both nodes receive requests for the same key:"
                    .formatted(COUNT.of(Settings.SCANT.tokens()))
                + " unthrottled until both deny, and at a steady rate.")
        .table(overshootTable());
    Targets targets = new Targets(this);
    return report.targets(targets.targets()).losses(targets.losses());
  }

  private void reportLoad(Report report, int keys) {
    Rounds<Load> rows = loads.where(load -> load.keys == keys);
    report
        .section("%s keys, zipf, unthrottled".formatted(COUNT.of(keys)))
        .paragraph(
            "%s of the keys were used. Messages are Tidegate's HSETs, each in a script with an HMGET and a PEXPIRE."
                    .formatted(COUNT.of(rows.of(Load::cells)))
                + " Commands are all that Redis ran, including those in scripts.")
        .table(loadTable(rows.rows()));
  }

  private Table<Load> loadTable(List<Load> rows) {
    return Table.of(rows)
        .label("", load -> load.contender.label())
        .column("decisions/s", Load::decisionsPerSecond, MANY)
        .where(
            load -> load.contender != Contender.TIDEGATE,
            others -> others.column("times fewer than Tidegate", timesFewer(), RATIO))
        .where(
            load -> load.contender == Contender.TIDEGATE,
            ours -> ours.column("messages/s", Load::messagesPerSecond, MANY))
        .column("Redis commands/s", Load::commandsPerSecond, MANY)
        .column("Redis, % of a core", Load::redisPercent, FIGURE)
        .column("decisions per second of Redis' CPU", Load::decisionsPerRedisSecond, MANY)
        .where(
            load -> load.contender.keepsCountsInRedis(),
            counting -> counting.text("lost", same -> Loss.of(same).toString()))
        .column("cold keys/s", Load::coldPerSecond, MANY)
        .column("all counts in Redis after, ms", Load::settleMillis, FIGURE);
  }

  private Table<Lag> lagTable() {
    return Table.of(lags.rows())
        .label("", lag -> lag.contender.label())
        .column("lag p50, ms", lag -> lag.millis.p50(), FIGURE)
        .column("lag p99, ms", lag -> lag.millis.p99(), FIGURE)
        .column("lag max, ms", lag -> lag.millis.max(), FIGURE)
        .column("decision p50, µs", lag -> lag.decisionMicros.p50(), FIGURE)
        .column("decision p99, µs", lag -> lag.decisionMicros.p99(), FIGURE);
  }

  private Table<Overshoot> overshootTable() {
    Table<Overshoot> table =
        Table.of(overshoots.rows()).label("", overshoot -> overshoot.contender.label());
    for (Pace pace : Pace.values()) {
      table.where(
          overshoot -> overshoot.pace == pace,
          columns -> columns.column(pace.label(), Overshoot::timesLimit, RATIO));
    }
    return table;
  }
}
