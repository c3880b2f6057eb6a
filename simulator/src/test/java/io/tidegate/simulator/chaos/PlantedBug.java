package io.tidegate.simulator.chaos;

import java.util.function.Predicate;

/** A bug that the shipped code does not have: what stands there, and what would stand there. */
enum PlantedBug {
  PUSH_OF_IMPORTED_COUNTS(
      "local/SharedCounter.java",
      "long current = own() + others() - components.imported();",
      "long current = own() + others();"),

  PUSH_THAT_FAILED_IS_FORGOTTEN(
      "global/Pusher.java",
      "rows.forEach(row -> lookAgain(row.counter));\n    failed = true;",
      "failed = true;",
      plan -> tellsAll(plan) && plan.has(FaultKind.DATABASE_REFUSES)),

  PUSH_LOST_BY_THE_DATABASE_IS_NOT_NOTICED(
      "local/Components.java",
      "boolean lost = pushed > 0 && isOverdue(pullSeconds);",
      "boolean lost = false;",
      plan -> tellsAll(plan) && plan.has(FaultKind.DATABASE_LOSES_COMMITS)),

  PULL_TAKES_ITS_OWN_REGION_FOR_ANOTHER(
      "global/Puller.java",
      "if (component.region().equals(region)) {",
      "if (component.region().isEmpty()) {"),

  PULL_SKIPS_WHAT_CHANGES_NEXT(
      "global/Puller.java",
      "since = next;",
      "since = Math.max(since, next + 5_000);",
      plan -> tellsAll(plan) && plan.faults().isEmpty()),

  REPLAY_THAT_FAILED_IS_FORGOTTEN(
      "regional/Replayer.java",
      "paused.add(new Paused(counter, scheduler.elapsedNanos() + RETRY_NANOS));",
      "counter.unqueueForReplay();\n      unconfirmed.decrementAndGet();"),

  REPLAY_TOO_SELDOM(
      "regional/Replayer.java",
      "long nowNanos = scheduler.elapsedNanos();\n    for (Paused head;",
      "long nowNanos = scheduler.elapsedNanos();\n    if (nowNanos / 10_000_000 % 50 != 0) {\n      return;\n    }\n    for (Paused head;",
      plan -> plan.has(FaultKind.NODE_CRASHES)),

  REPLAY_OF_WHAT_PEERS_COUNTED(
      "regional/GuardedOrigin.java",
      "return new OwnCount(writer(cell), cell(message.counter(), cell), cell.count());",
      "return new OwnCount(writer(cell), cell(message.counter(), cell), cell.count() + cell.confirmed());"),

  REPLAY_STOPS_WITH_AN_ERROR_OF_THE_ADAPTER(
      "regional/Replayer.java",
      "told.whenComplete((confirmed, failure) -> arrived(counter, failure == null));",
      "told.whenComplete((confirmed, failure) -> {\n        if (!String.valueOf(failure).contains(\"Error\")) {\n          arrived(counter, failure == null);\n        }\n      });",
      plan -> plan.has(FaultKind.ORIGIN_CLIENT_THROWS)),

  MERGE_OF_OWN_COUNTS_AS_PEERS(
      "regional/GuardedOrigin.java",
      "counter.mergePeers(own.get(i).startMillis(), counts.get(i).peers());",
      "counter.mergePeers(own.get(i).startMillis(), counts.get(i).total());"),

  MERGE_THAT_TAKES_THE_LAST_INSTEAD_OF_THE_GREATER(
      "local/Components.java",
      "long growth = Math.max(0, count - counts[region]);",
      "long growth = count - counts[region];"),

  ROTATION_FORGETS_THE_PREVIOUS_CELL(
      "local/SharedCounter.java", "previousOwn = finalOwn;\n", "previousOwn = 0;\n"),

  BATCH_JUDGES_ITS_FIRST_REQUEST_ONLY(
      "local/Batch.java",
      "for (int i = 0; i < requests.length; i++) {\n      if (!targets[i].cells.admit(",
      "for (int i = 0; i < 1; i++) {\n      if (!targets[i].cells.admit("),

  BATCH_CHARGES_A_PART(
      "local/Batch.java",
      "counter.release(allowed ? charge : 0, limit);",
      "counter.release(allowed ? Math.min(charge, requests[0].cost()) : 0, limit);"),

  EVICTED_SERIES_COUNT_ON_UNDER_THEIR_NAME(
      "local/SeriesStore.java", "lives.incrementAndGet()", "1"),

  EVICTED_SERIES_ARE_NOT_TOLD(
      "regional/Replayer.java",
      "for (OwnCell cell : counter.untold()) {",
      "for (OwnCell cell : counter.isGone() ? java.util.List.<OwnCell>of() : counter.untold()) {"),

  EVICTION_DOES_NOT_KEEP_THE_BOUND(
      "local/SeriesStore.java", "if (known >= maxSeries) {", "if (known >= 100 * maxSeries) {"),

  LOSS_CHECK_NOTICES_NOTHING("regional/GuardedOrigin.java", "forgotten = true;", "forgotten = false;"),

  STRICT_MODE_ASKS_NOBODY(
      "local/SharedCounter.java",
      "< freshUntilMillis && nowMillis >= strictUntilMillis();",
      "< freshUntilMillis;"),

  READS_ARE_WAITED_FOR_TOO_LONG(
      "regional/GuardedOrigin.java",
      "static final Duration READ_TIMEOUT = Duration.ofMillis(300);",
      "static final Duration READ_TIMEOUT = Duration.ofMillis(600);"),

  ANSWERS_ARE_RELIED_ON_FOR_50_SECONDS(
      "local/SharedCounter.java",
      "static final long FRESH_MILLIS = 5_000;",
      "static final long FRESH_MILLIS = 50_000;",
      plan -> plan.fillers() > 0),

  ANSWERS_AGE_BY_THE_CLOCK(
      "local/SeriesStore.java",
      "if (Math.abs(difference - elapsedLessClockMillis) > ALIGNED_MILLIS) {",
      "if (elapsedLessClockMillis == 0) {",
      plan -> plan.fillers() > 0 && isSetBack(plan, 60_000)),

  FAILED_READS_ARE_NEVER_FORGOTTEN(
      "regional/Refresher.java",
      "!counter.readFailedWithin(NO_WAIT_NANOS, now)",
      "!counter.readFailedWithin(Long.MAX_VALUE, now)",
      plan -> plan.lull() != null),

  FAILURES_OF_ALL_PARTS_ARE_COUNTED_TOGETHER(
      "runtime/Guard.java",
      "breaker(part).tryAcquire(now)",
      "breaker(\"\").tryAcquire(now)",
      plan -> plan.newcomers() > 0),

  LOSS_CHECK_BEGINS_ANEW_EVERY_TEN_SECONDS(
      "regional/LossDetector.java",
      "if (!walk.hasNext()) {",
      "if (!walk.hasNext() || scheduler.elapsedNanos() % 10_000_000_000L < INTERVAL_NANOS) {",
      plan -> plan.fillers() > 0 && plan.has(FaultKind.ORIGIN_LOSES_A_CELL)),

  CLOCK_THAT_WAS_AHEAD_LOCKS_A_SERIES(
      "local/SeriesTable.java",
      "return counter.isAhead(nowMillis, windowMillis)\n        &&",
      "return false &&",
      plan -> plan.clocksAreSet()),

  CLOCK_THAT_WAS_SET_BACK_HIDES_OTHER_REGIONS(
      "global/Puller.java",
      "cell.startMillis() > nowMillis && !isInUse(cell)",
      "cell.startMillis() > nowMillis",
      plan -> !plan.alone() && isSetBack(plan, 300_000)),

  OBSERVER_THAT_THROWS_IS_FELT(
      "SafeObserver.java",
      "notification.run();\n    } catch (RuntimeException | Error e) {\n      log.failed(event, e);",
      "notification.run();\n    } catch (RuntimeException | Error e) {\n      throw e;",
      plan -> plan.has(FaultKind.OBSERVER_THROWS)),

  SHORT_WINDOWS_ARE_PUBLISHED(
      "local/SharedCounter.java",
      "(table.isPublished() ? 0 : FOR_PUSH);",
      "0;",
      plan -> !plan.alone());

  private final String file;
  private final String shipped;
  private final String planted;
  private final Predicate<Scenario> shows;

  PlantedBug(String file, String shipped, String planted) {
    this(file, shipped, planted, plan -> true);
  }

  /** A bug that can show in some runs only: other seeds need not be tried. */
  PlantedBug(String file, String shipped, String planted, Predicate<Scenario> shows) {
    this.file = "io/tidegate/" + file;
    this.shipped = shipped;
    this.planted = planted;
    this.shows = shows;
  }

  String file() {
    return file;
  }

  String shipped() {
    return shipped;
  }

  String planted() {
    return planted;
  }

  /** Whether several regions tell each other everything, and remember it. */
  private static boolean tellsAll(Scenario plan) {
    return plan.policy() == ChaosPolicy.ALL && plan.nodes().size() > 1 && !plan.isCrowded();
  }

  private static boolean isSetBack(Scenario plan, long millis) {
    return plan.faults().stream()
        .anyMatch(
            fault -> fault.kind() == FaultKind.CLOCK_SET_BACK && fault.stepMillis() < -millis);
  }

  boolean canShow(Scenario plan) {
    return shows.test(plan);
  }
}
