package io.tidegate.regional;

import io.tidegate.local.CellAnswer;
import io.tidegate.local.OwnCell;
import io.tidegate.local.Queueable;
import io.tidegate.local.SharedCounter;
import io.tidegate.model.OriginCounts;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.runtime.CallReport;
import io.tidegate.runtime.FailureLog;
import io.tidegate.runtime.Guard;
import io.tidegate.spi.Component;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OriginCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import io.tidegate.spi.Scheduler;
import io.tidegate.spi.Writer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The only caller of the region's {@link RegionalOrigin}. Every call is guarded: it has a timeout
 * and a circuit breaker, and its failures are logged and observed. Every answer is merged into its
 * counter, also one that arrives after the timeout.
 */
final class GuardedOrigin {

  private final RegionalOrigin origin;
  private final String region;
  private final String node;
  private final InstantSource clock;
  private final Scheduler scheduler;

  /** Whether an answer has shown that the origin lost counts that it had confirmed. */
  private volatile boolean lostCounts;

  private volatile boolean closed;

  /** Separate guards, because an origin may reject writes and still read, out of memory for one. */
  private final Guard reads;

  /** Reads that send own counts. */
  private final Guard exchanges;

  private final Guard replays;
  private final Guard lossChecks;
  private final Guard stores;
  private final Guard registrations;

  /**
   * Inspections, whose failures must not keep decisions from reading. Their own breaker opens only
   * if many are made and fail, and for a moment, so that an operator gets an answer in an outage.
   */
  private final Guard inspections;

  private final FailureLog log;
  private final Map<OriginOperation, Guard.Outcome> outcomes = new EnumMap<>(OriginOperation.class);

  GuardedOrigin(
      RegionalOrigin origin,
      String region,
      String node,
      InstantSource clock,
      Scheduler scheduler,
      LimiterObserver observer) {
    this.origin = origin;
    this.region = region;
    this.node = node;
    this.clock = clock;
    this.scheduler = scheduler;
    this.reads =
        Guard.ofManyCalls(RegionalTimings.READ_TIMEOUT, RegionalTimings.READ_PAUSE, scheduler);
    this.exchanges =
        Guard.ofManyCalls(RegionalTimings.READ_TIMEOUT, RegionalTimings.READ_PAUSE, scheduler);
    this.replays = Guard.ofManyCalls(
        RegionalTimings.BACKGROUND_TIMEOUT, RegionalTimings.BACKGROUND_PAUSE, scheduler);
    this.lossChecks = Guard.ofManyCalls(
        RegionalTimings.BACKGROUND_TIMEOUT, RegionalTimings.BACKGROUND_PAUSE, scheduler);
    this.stores = Guard.ofManyCalls(
        RegionalTimings.BACKGROUND_TIMEOUT, RegionalTimings.BACKGROUND_PAUSE, scheduler);
    this.registrations = Guard.ofFewCalls(
        RegionalTimings.BACKGROUND_TIMEOUT, RegionalTimings.BACKGROUND_PAUSE, scheduler);
    this.inspections = Guard.ofManyCalls(
        RegionalTimings.BACKGROUND_TIMEOUT, RegionalTimings.BACKGROUND_PAUSE, scheduler);
    this.log = new FailureLog(
        "The origin of region " + region
            + " is unavailable; deciding from memory, counts will be sent when it returns",
        "The origin of region " + region + " is available again",
        scheduler);
    for (OriginOperation operation : OriginOperation.values()) {
      outcomes.put(
          operation,
          new CallReport(
              name(operation),
              log,
              nanos -> observer.originAnswered(operation, nanos),
              failure -> observer.originFailed(operation, failure),
              () -> closed));
    }
  }

  private static String name(OriginOperation operation) {
    return switch (operation) {
      case REPLAY -> "a replay";
      case STORE -> "a store of imported counts";
      default -> "a read";
    };
  }

  /**
   * When a call was made. An answer is as old as its call.
   *
   * @param millis by the clock, which identifies cells and may step
   * @param elapsedMillis by the scheduler, which measures ages and never runs back
   */
  private record Asked(long millis, long elapsedMillis) {}

  private Asked asked(long nowMillis) {
    return new Asked(nowMillis, TimeUnit.NANOSECONDS.toMillis(scheduler.elapsedNanos()));
  }

  /**
   * Reads cells of a series: both of them, the current one first, unless it is a loss check. If
   * other nodes share the limits, the read sends the unconfirmed own counts along.
   *
   * @return completes when the origin has answered, or fails; null if no call was made
   */
  @Nullable
  CompletableFuture<Boolean> read(
      SharedCounter counter, List<OwnCell> cells, OriginOperation operation, long nowMillis) {
    Asked asked = asked(nowMillis);
    List<OwnCell> sent = operation == OriginOperation.LOSS_CHECK || counter.isAlone()
        ? List.of()
        : cells.stream().filter(cell -> cell.count() > cell.confirmed()).toList();
    List<OwnCount> counts = cells.stream()
        .map(cell ->
            new OwnCount(writer(cell), windowCell(cell), sent.contains(cell) ? cell.count() : 0))
        .toList();
    List<CompletableFuture<Boolean>> answers = readGuard(operation, sent)
        .call(
            part(counter),
            () -> List.of(origin
                .read(counts)
                .thenApply(answer -> merge(counter, cells, sent, answer, operation, asked))),
            outcome(operation));
    return answers == null ? null : answers.get(0);
  }

  private Guard readGuard(OriginOperation operation, List<OwnCell> sent) {
    if (operation == OriginOperation.LOSS_CHECK) {
      return lossChecks;
    }
    return sent.isEmpty() ? reads : exchanges;
  }

  private boolean merge(
      SharedCounter counter,
      List<OwnCell> cells,
      List<OwnCell> sent,
      List<RegionalCount> counts,
      OriginOperation operation,
      Asked asked) {
    List<CellAnswer> answers = counts.stream().map(GuardedOrigin::answer).toList();
    if (operation == OriginOperation.LOSS_CHECK) {
      counter.mergeAll(cells, answers, asked.elapsedMillis());
    } else {
      counter.refresh(cells, answers, asked.millis(), asked.elapsedMillis());
      sent.forEach(counter::confirm); // after the peers' counts: it allows this node to spend more
    }
    for (int i = 0; i < cells.size(); i++) {
      detectLoss(cells.get(i), counts.get(i));
    }
    return true;
  }

  private static CellAnswer answer(RegionalCount count) {
    return new CellAnswer(count.peers(), count.imported(), count.regions(), count.pushed());
  }

  /**
   * Sends own counts of series that one part of the origin stores.
   *
   * @return for each count a stage that completes when it is confirmed, or fails; null if no call
   *     was made
   */
  @Nullable
  List<CompletableFuture<Boolean>> replay(String part, List<OwnCell> cells, long nowMillis) {
    Asked asked = asked(nowMillis);
    return replays.call(
        part,
        () -> {
          List<CompletionStage<RegionalCount>> counts = send(cells);
          List<CompletionStage<Boolean>> merged = new ArrayList<>(cells.size());
          for (int i = 0; i < cells.size(); i++) {
            merged.add(merged(cells.get(i), counts.get(i), asked));
          }
          return merged;
        },
        outcome(OriginOperation.REPLAY));
  }

  /** An adapter that answers one count with an invalid stage fails that count and no other. */
  private CompletionStage<Boolean> merged(
      OwnCell cell, CompletionStage<RegionalCount> count, Asked asked) {
    try {
      return count.thenApply(counted -> merge(cell, counted, asked));
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Returns one stage for each count, even if the adapter throws: the caller waits for each. */
  private List<CompletionStage<RegionalCount>> send(List<OwnCell> cells) {
    try {
      List<CompletionStage<RegionalCount>> counts =
          origin.replay(cells.stream().map(this::ownCount).toList());
      if (counts.size() != cells.size()) {
        throw new IllegalStateException("the origin received " + cells.size()
            + " counts and returned " + counts.size() + " answers");
      }
      return counts;
    } catch (RuntimeException | Error e) {
      return Collections.nCopies(cells.size(), CompletableFuture.failedFuture(e));
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a read merges its own answer
  private boolean merge(OwnCell sent, RegionalCount count, Asked asked) {
    sent.source().merge(sent, answer(count), asked.elapsedMillis());
    detectLoss(sent, count);
    if (sent.source() instanceof SharedCounter counter
        && counter.takeReadOfBothCells(asked.millis())) {
      List<OwnCell> cells = counter.cells();
      if (!cells.isEmpty()) {
        read(counter, cells, OriginOperation.READ_STALE, asked.millis());
      }
    }
    return true;
  }

  /**
   * An origin that holds less than it confirmed has lost counts, unless it may have expired them.
   */
  private void detectLoss(OwnCell cell, RegionalCount count) {
    if (count.ownPart() < cell.confirmed() && mustHold(cell)) {
      lostCounts = true;
    }
  }

  /**
   * Whether the origin must still hold the confirmed count of a cell. It need not for a cell that
   * begins in the future: that is one of a clock that was set back since.
   */
  boolean mustHold(OwnCell cell) {
    long age = clock.millis() - cell.startMillis();
    long windowMillis = cell.source().scope().windowMillis();
    return age >= 0 && age < RegionalTimings.ORIGIN_HOLDS_WINDOWS * windowMillis;
  }

  /**
   * Stores counts of this and other regions.
   *
   * @return the number of those that were stored: less than all if a part fails; never fails
   */
  CompletableFuture<Integer> store(List<Component> components) {
    if (closed) {
      return CompletableFuture.completedFuture(0);
    }
    Map<String, List<Component>> parts = components.stream()
        .collect(Collectors.groupingBy(
            component -> part(component.cell().series()), LinkedHashMap::new, Collectors.toList()));
    CompletableFuture<Integer> all = CompletableFuture.completedFuture(0);
    for (Map.Entry<String, List<Component>> part : parts.entrySet()) {
      all = all.thenCombine(store(part.getKey(), part.getValue()), Integer::sum);
    }
    return all;
  }

  private CompletableFuture<Integer> store(String part, List<Component> components) {
    List<CompletableFuture<Void>> answers = stores.call(
        part, () -> List.of(origin.store(region, components)), outcome(OriginOperation.STORE));
    return answers == null
        ? CompletableFuture.completedFuture(0)
        : answers.get(0).handle((stored, failure) -> failure == null ? components.size() : 0);
  }

  /**
   * Registers this node as alive.
   *
   * @return the live nodes, or a failure; null if no call was made
   */
  @Nullable
  CompletableFuture<LiveNodes> register(Duration lifetime, boolean canRead) {
    List<CompletableFuture<LiveNodes>> answers = registrations.call(
        "",
        () -> List.of(origin
            .register(new Registration(region, node, lifetime, canRead))
            .thenApply(Objects::requireNonNull)),
        Guard.Outcome.NONE);
    return answers == null ? null : answers.get(0);
  }

  /** Reads the identity of this region, or stores the candidate. The caller guards the call. */
  CompletionStage<Optional<String>> identify(String candidate) {
    return origin.identify(region, candidate);
  }

  /**
   * Reads all counts of a cell and of the one before it, without a report: nothing is merged, and
   * an outage is reported by other calls.
   *
   * @return the counts of the cell and of the one before it, or a failure; null if no call was made
   */
  @Nullable
  CompletableFuture<List<OriginCounts>> inspect(WindowCell current) {
    List<CompletableFuture<List<OriginCounts>>> answers = inspections.call(
        part(current.series()),
        () -> List.of(origin
            .inspect(region, current)
            .thenCombine(
                origin.inspect(region, current.previous()),
                (cell, previous) -> List.of(countsOf(cell), countsOf(previous)))),
        Guard.Outcome.NONE);
    if (closed) {
      inspections.close(); // the timeout is not checked any more
    }
    return answers == null ? null : answers.get(0);
  }

  private OriginCounts countsOf(OriginCell cell) {
    Map<String, Long> nodes = new HashMap<>();
    cell.writers().forEach((writer, count) -> nodes.merge(nodeOf(writer), count, Long::sum));
    Map<String, Long> imported = new HashMap<>(cell.components());
    Long pushed = imported.remove(region);
    return new OriginCounts(nodes, imported, pushed == null ? 0 : pushed);
  }

  private Guard.Outcome outcome(OriginOperation operation) {
    return Objects.requireNonNull(outcomes.get(operation));
  }

  /** The name of this node. */
  String node() {
    return node;
  }

  boolean hasLostCounts() {
    return lostCounts;
  }

  /** Starts to look for losses anew. */
  void resetLostCounts() {
    lostCounts = false;
  }

  /** Fails the calls that are past their timeout. */
  void expire() {
    reads.expire();
    exchanges.expire();
    replays.expire();
    lossChecks.expire();
    stores.expire();
    registrations.expire();
    inspections.expire();
  }

  /** Closes the origin and fails the calls under way, without reports of these failures. */
  void close() {
    closed = true;
    origin.close();
    reads.close();
    exchanges.close();
    replays.close();
    lossChecks.close();
    stores.close();
    registrations.close();
    inspections.close();
  }

  /** The part of the origin that stores a series. */
  String part(Queueable series) {
    return part(series(series));
  }

  private String part(Series series) {
    try {
      return Objects.requireNonNull(origin.part(region, series), "part");
    } catch (RuntimeException | Error e) { // of the adapter: all such series share one breaker
      log.failed("looking up the part of a series", e);
      return "";
    }
  }

  private OwnCount ownCount(OwnCell cell) {
    return new OwnCount(writer(cell), windowCell(cell), cell.count());
  }

  private Writer writer(OwnCell cell) {
    return new Writer(region, node + "." + Integer.toUnsignedString(cell.incarnation(), 36));
  }

  /** The node of a writer, whose name ends with its incarnation. */
  private static String nodeOf(String writer) {
    int dot = writer.lastIndexOf('.');
    return dot < 0 ? writer : writer.substring(0, dot);
  }

  private WindowCell windowCell(OwnCell cell) {
    return WindowCell.at(series(cell.source()), cell.startMillis());
  }

  private static Series series(Queueable series) {
    return new Series(series.scope(), series.identifier());
  }
}
