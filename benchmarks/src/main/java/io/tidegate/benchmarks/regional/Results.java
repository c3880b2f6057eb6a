package io.tidegate.benchmarks.regional;

import static io.tidegate.benchmarks.regional.Contender.BUCKET4J;
import static io.tidegate.benchmarks.regional.Contender.PER_REQUEST;
import static io.tidegate.benchmarks.regional.Contender.TIDEGATE;
import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.FINE_PERCENT;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.report.Comparison;
import io.tidegate.report.Machine;
import io.tidegate.report.Percentiles;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Table;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** All figures of a run, the report on them, and the targets that judge them. */
record Results(
    Settings settings, Rounds<Load> loads, Rounds<Lag> lags, Rounds<Overshoot> overshoots) {

  /** Ticks per second of Tidegate's replay. */
  private static final int TICKS_PER_SECOND = 100;

  private static final int LAG_MILLIS = 50;
  private static final int TIMES_BUCKET4J = 10;

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
      return FINE_PERCENT.of((double) lost / admitted);
    }

    @Override
    public String toString() {
      String share = lost == 0 ? "" : " (" + percent() + ")";
      return MANY.of(lost) + " of " + MANY.of(admitted) + share;
    }
  }

  /** Time until one node counted what another admitted, and the time of decisions meanwhile. */
  record Lag(Contender contender, int round, Percentiles millis, Percentiles decisionMicros) {}

  /** Admitted tokens as a multiple of the limit, by the pace of the requests. */
  record Overshoot(Contender contender, int round, double unthrottled, double paced) {

    static final String UNTHROTTLED = "unthrottled";
    static final String PACED = "10x the limit in a second";
  }

  Rounds<Load> loads(int keys, Contender contender) {
    return loads.where(load -> load.keys == keys && load.contender == contender);
  }

  private Rounds<Lag> lags(Contender contender) {
    return lags.where(lag -> lag.contender == contender);
  }

  private Rounds<Overshoot> overshoots(Contender contender) {
    return overshoots.where(overshoot -> overshoot.contender == contender);
  }

  /** Decisions per second of Tidegate as a multiple of a contender's in the same round. */
  ToDoubleFunction<Load> timesFewer() {
    return loads.ratioTo(
        load -> load.contender == TIDEGATE,
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
                        COUNT.of(Measurements.BACKGROUND_KEYS),
                        COUNT.of(Measurements.BACKGROUND_PER_SECOND))
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
    return report.targets(targets()).losses(losses());
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
        .label("", load -> load.contender.label)
        .column("decisions/s", Load::decisionsPerSecond, MANY)
        .where(
            load -> load.contender != TIDEGATE,
            others -> others.column("times fewer than Tidegate", timesFewer(), RATIO))
        .where(
            load -> load.contender == TIDEGATE,
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
        .label("", lag -> lag.contender.label)
        .column("lag p50, ms", lag -> lag.millis.p50(), FIGURE)
        .column("lag p99, ms", lag -> lag.millis.p99(), FIGURE)
        .column("lag max, ms", lag -> lag.millis.max(), FIGURE)
        .column("decision p50, µs", lag -> lag.decisionMicros.p50(), FIGURE)
        .column("decision p99, µs", lag -> lag.decisionMicros.p99(), FIGURE);
  }

  private Table<Overshoot> overshootTable() {
    return Table.of(overshoots.rows())
        .label("", overshoot -> overshoot.contender.label)
        .column(Overshoot.UNTHROTTLED, Overshoot::unthrottled, RATIO)
        .column(Overshoot.PACED, Overshoot::paced, RATIO);
  }

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    Spread lag = lags(TIDEGATE).of(row -> row.millis.p99());
    String text = "lag p99 at most " + LAG_MILLIS + " ms";
    targets.add(new Target(text, lag.median() <= LAG_MILLIS, FIGURE.of(lag) + " ms"));
    settings.keys().forEach(keys -> addTargets(keys, targets));
    return targets;
  }

  private void addTargets(int keys, List<Target> targets) {
    String prefix = COUNT.of(keys) + " keys: ";
    Rounds<Load> ours = loads(keys, TIDEGATE);
    Spread share = ours.of(load -> load.messagesPerSecond / load.mostMessagesPerSecond());
    targets.add(new Target(
        prefix + "at most one message per cell, node and tick",
        share.max() <= 1,
        "%s messages/s of at most %s; %s commands/s"
            .formatted(
                MANY.of(ours.of(Load::messagesPerSecond)),
                MANY.of(ours.of(Load::mostMessagesPerSecond).median()),
                MANY.of(ours.of(Load::commandsPerSecond)))));
    Spread times = loads(keys, BUCKET4J).of(timesFewer());
    String decisions = "at least %dx the decisions of bucket4j".formatted(TIMES_BUCKET4J);
    targets.add(new Target(prefix + decisions, times.median() >= TIMES_BUCKET4J, RATIO.of(times)));
    Loss loss = Loss.of(ours.rows());
    targets.add(new Target(prefix + "no count is lost", loss.lost == 0, loss.toString()));
  }

  /** Where another contender does better. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    String us = TIDEGATE.label;
    for (Contender other : List.of(PER_REQUEST, BUCKET4J)) {
      settings.keys().forEach(keys -> addLosses(keys, other, losses));
      new Comparison<>(us, lags(TIDEGATE), other.label, lags(other), losses)
          .low("lag p99, ms", lag -> lag.millis.p99(), FIGURE);
      String admitted = "times the limit admitted, ";
      new Comparison<>(us, overshoots(TIDEGATE), other.label, overshoots(other), losses)
          .low(admitted + Overshoot.UNTHROTTLED, Overshoot::unthrottled, RATIO)
          .low(admitted + Overshoot.PACED, Overshoot::paced, RATIO);
    }
    return losses;
  }

  /** Names the share of counts that the other contender loses, which saves it work. */
  private void addLosses(int keys, Contender other, List<String> losses) {
    Rounds<Load> theirs = loads(keys, other);
    Loss loss = Loss.of(theirs.rows());
    String which = " (which loses " + loss.percent() + " of its counts)";
    String name = other.label + (loss.lost > 0 ? which : "");
    String prefix = COUNT.of(keys) + " keys, ";
    new Comparison<>(TIDEGATE.label, loads(keys, TIDEGATE), name, theirs, losses)
        .high(prefix + "decisions/s", Load::decisionsPerSecond, MANY)
        .high(prefix + "cold keys/s", Load::coldPerSecond, MANY)
        .high(prefix + "decisions per second of Redis' CPU", Load::decisionsPerRedisSecond, MANY)
        .low(prefix + "all counts in Redis after, ms", Load::settleMillis, FIGURE);
  }
}
