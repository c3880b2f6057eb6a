package io.tidegate.benchmarks.soak;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.SMALL;

import io.tidegate.benchmarks.load.OpenLoad;
import io.tidegate.benchmarks.load.OpenLoad.Interval;
import io.tidegate.benchmarks.load.TidegateProcess.Usage;
import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Spread;
import io.tidegate.report.Table;
import io.tidegate.report.Target;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * All figures of a run, and the report on them.
 *
 * @param maximum requests per second of the closed loop
 * @param perSecond offered requests per second
 * @param rows intervals of the load; the last one has the answers after its end
 * @param usage live heap and series after the run
 * @param failure the first answer that was an error; empty if there was none
 */
record Results(
    Settings settings,
    double maximum,
    double perSecond,
    List<Row> rows,
    Stores stores,
    Ledger ledger,
    Usage usage,
    String failure) {

  /** Noise of a process whose heap is resident from the start. */
  private static final double MAX_SLOPE = 10;

  /** Five minutes each in a run of an hour, several times the interval of the collector. */
  private static final int SLOPE_PARTS = 6;

  private static final double MAX_P999_MILLIS = 50;

  /** Resident memory after the load, as a part of that at its end. */
  private static final double MAX_RETAINED = 0.8;

  /** One wait for Redis, which is given up after 300 ms, and 100 ms for the machine. */
  private static final double MAX_WORST_P999_MILLIS = 400;

  /** An interval of the load, and the second in which it began. */
  record Row(int second, Interval interval) {

    /** Requests that were not answered 2xx. */
    long failed() {
      return interval.unavailable()
          + interval.failed()
          + interval.closed()
          + interval.timedOut()
          + interval.unsent();
    }

    private double p999Millis() {
      return interval.micros().p999() / 1e3;
    }
  }

  /** The server's state over time, and the restarts of its stores. */
  record Stores(List<Sample> samples, List<Outage> outages) {}

  private List<Row> loaded() {
    return rows.subList(0, rows.size() - 1);
  }

  Report report(Machine machine) {
    Report report = new Report()
        .machine(machine)
        .data("settings", settings)
        .data("maximum", maximum)
        .data("rows", rows)
        .data("samples", stores.samples)
        .data("outages", stores.outages)
        .data("ledger", ledger)
        .data("usage", usage)
        .paragraph(
            "%s s of load on one server with Redis and MariaDB, at %s requests/s; the maximum in a closed loop"
                    .formatted(COUNT.of(settings.seconds()), MANY.of(perSecond))
                + " is %s. %s"
                    .formatted(
                        MANY.of(maximum),
                        settings.pinned()
                            ? "The server has one processor; load, Redis and MariaDB share another."
                            : "Server, load, Redis and MariaDB share all processors."));
    if (settings.quick()) {
      report.quick("a short load on few identifiers; memory and latency say little.");
    }
    return report
        .paragraph(
            "Each request has two limits: one of %s identifiers, each of which is replaced after %d s, and one of %s"
                    .formatted(
                        COUNT.of(settings.identifiers()),
                        settings.lifetimeSeconds(),
                        COUNT.of(Settings.TENANTS))
                + " tenants. Failed are all requests without an answer 2xx within %d ms. Heap is what the last"
                    .formatted(OpenLoad.TIMEOUT_MILLIS)
                + " collection has left. Files include connections.")
        .section("Load and server over time")
        .table(table())
        .section("Restarts")
        .paragraph(restarts())
        .section("After the load")
        .paragraph("Resident memory was %s when the load ended, and %s %d s later."
            .formatted(memory(endOfLoad()), memory(endOfRun()), settings.idleSeconds()))
        .section("Counts")
        .paragraph(
            ("%s requests were admitted in all, %s had no answer, and Redis has counted %s. Afterwards the"
                    + " server has %s series in %s MB of live heap.")
                .formatted(
                    COUNT.of(ledger.admitted()),
                    COUNT.of(ledger.unknown()),
                    COUNT.of(ledger.counted()),
                    COUNT.of(usage.series()),
                    FIGURE.of(usage.heapBytes() / 1e6)))
        .targets(targets());
  }

  private Table<Row> table() {
    return Table.of(loaded())
        .label("from", row -> "%d:%02d".formatted(row.second / 60, row.second % 60))
        .column("requests/s", row -> row.interval.answered() / row.interval.seconds(), MANY)
        .column("failed", Row::failed, COUNT)
        .column("degraded", row -> row.interval.degraded(), COUNT)
        .column("latency p50, ms", row -> row.interval.micros().p50() / 1e3, SMALL)
        .column("p99, ms", row -> row.interval.micros().p99() / 1e3, SMALL)
        .column("p99.9, ms", Row::p999Millis, SMALL)
        .column("resident, MB", at(sample -> sample.residentBytes() / 1e6), FIGURE)
        .column("heap, MB", at(sample -> sample.heapBytes() / 1e6), FIGURE)
        .column(
            "GC, ms",
            row -> 1e3 * (gcSeconds(row.second + length()) - gcSeconds(row.second)),
            FIGURE)
        .column("longest, ms", at(sample -> 1e3 * sample.gcMaxSeconds()), FIGURE)
        .column("files", at(Sample::files), COUNT)
        .column("threads", at(Sample::threads), COUNT)
        .column("series", at(Sample::series), COUNT);
  }

  private Sample endOfLoad() {
    return stores.samples.stream()
        .filter(sample -> sample.second() < settings.seconds() + Settings.SAMPLE_SECONDS)
        .reduce((earlier, later) -> later)
        .orElseThrow();
  }

  private Sample endOfRun() {
    return stores.samples.get(stores.samples.size() - 1);
  }

  private static String memory(Sample sample) {
    return "%s MB with %s series"
        .formatted(FIGURE.of(sample.residentBytes() / 1e6), COUNT.of(sample.series()));
  }

  private int length() {
    return settings.rowSeconds();
  }

  /** A figure of the last sample of a row; NaN if it has none. */
  private ToDoubleFunction<Row> at(ToDoubleFunction<Sample> figure) {
    return row -> stores.samples.stream()
        .filter(sample -> sample.second() >= row.second && sample.second() < row.second + length())
        .mapToDouble(figure)
        .reduce((earlier, later) -> later)
        .orElse(Double.NaN);
  }

  /** Pauses of the collector until the last sample before a second. */
  private double gcSeconds(int second) {
    return stores.samples.stream()
        .filter(sample -> sample.second() <= second + 1)
        .mapToDouble(Sample::gcSeconds)
        .reduce((earlier, later) -> later)
        .orElse(Double.NaN);
  }

  private String restarts() {
    return stores.outages.stream()
        .map(outage -> "- " + restart(outage) + " " + effect(outage))
        .collect(Collectors.joining("\n"));
  }

  private static String restart(Outage outage) {
    String recovery = outage.recovered()
        ? "reported all dependencies to work %s s after that"
            .formatted(FIGURE.of(outage.recoverySeconds()))
        : "**did not recover**";
    return "%s was killed after %s s and answered again %s s later; the server %s."
        .formatted(
            outage.store(), FIGURE.of(outage.second()), FIGURE.of(outage.downSeconds()), recovery);
  }

  /** Describes the intervals from the begin of an outage to the server's recovery. */
  private String effect(Outage outage) {
    double down = outage.second() + outage.downSeconds();
    double end = outage.recovered() ? down + outage.recoverySeconds() : down;
    List<Row> affected = loaded().stream()
        .filter(row -> row.second + length() > outage.second() && row.second <= end)
        .toList();
    long failed = affected.stream().mapToLong(Row::failed).sum();
    long degraded = affected.stream().mapToLong(row -> row.interval.degraded()).sum();
    double worst = affected.stream().mapToDouble(Row::p999Millis).max().orElse(Double.NaN);
    return "In these intervals %s requests failed, %s answers were degraded (those of %s s), and p99.9 was at most %s ms."
        .formatted(
            COUNT.of(failed),
            COUNT.of(degraded),
            FIGURE.of(degraded / perSecond),
            FIGURE.of(worst));
  }

  List<Target> targets() {
    long failed = rows.stream().mapToLong(Row::failed).sum();
    Spread p999 = Spread.of(loaded().stream().mapToDouble(Row::p999Millis).toArray());
    double slope = residentSlope();
    boolean recovered = stores.outages.stream().allMatch(Outage::recovered);
    return List.of(
        new Target(
            "no request failed",
            failed == 0,
            COUNT.of(failed) + (failure.isEmpty() ? "" : ", first: " + firstLine())),
        new Target("the server recovered from both restarts", recovered, recovered ? "yes" : "no"),
        new Target("Redis has counted what was admitted", ledger.balances(), difference()),
        new Target(
            "resident memory of the second half grows by at most %.0f MB per hour"
                .formatted(MAX_SLOPE),
            slope <= MAX_SLOPE,
            FIGURE.of(slope) + " MB per hour"),
        new Target(
            "the server returns memory after the load: %.0f %% or less is resident"
                .formatted(100 * MAX_RETAINED),
            endOfRun().residentBytes() <= MAX_RETAINED * endOfLoad().residentBytes(),
            "%s, then %s".formatted(memory(endOfLoad()), memory(endOfRun()))),
        new Target(
            "p99.9 at most %.0f ms in the median interval".formatted(MAX_P999_MILLIS),
            p999.median() <= MAX_P999_MILLIS,
            FIGURE.of(p999.median()) + " ms"),
        new Target(
            "p99.9 at most %.0f ms in every interval".formatted(MAX_WORST_P999_MILLIS),
            p999.max() <= MAX_WORST_P999_MILLIS,
            FIGURE.of(p999.max()) + " ms"));
  }

  private String firstLine() {
    return failure.lines().findFirst().orElse("");
  }

  private String difference() {
    return "%s of %s admitted".formatted(COUNT.of(ledger.counted()), COUNT.of(ledger.admitted()));
  }

  /**
   * MB per hour that resident memory grows by in the load's second half: the slope of a straight
   * line through the lowest samples of equal parts, by least squares. The collector returns memory
   * in steps; the lowest samples are those after such a step.
   */
  double residentSlope() {
    List<Sample> lowest = lowestOfParts();
    double meanSecond = lowest.stream().mapToDouble(Sample::second).average().orElse(Double.NaN);
    double meanBytes =
        lowest.stream().mapToDouble(Sample::residentBytes).average().orElse(Double.NaN);
    double products = 0;
    double squares = 0;
    for (Sample sample : lowest) {
      double second = sample.second() - meanSecond;
      products += second * (sample.residentBytes() - meanBytes);
      squares += second * second;
    }
    return products / squares * 3_600 / 1e6;
  }

  private List<Sample> lowestOfParts() {
    double half = settings.seconds() / 2.0;
    Map<Integer, Sample> lowest = stores.samples.stream()
        .filter(sample -> sample.second() >= half && sample.second() < settings.seconds())
        .collect(Collectors.toMap(
            sample -> (int) ((sample.second() - half) / half * SLOPE_PARTS),
            sample -> sample,
            BinaryOperator.minBy(Comparator.comparingDouble(Sample::residentBytes))));
    return List.copyOf(lowest.values());
  }
}
