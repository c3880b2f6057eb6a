package io.tidegate.simulator.chaos;

import java.util.function.Predicate;

/** A bug to plant: a line of the shipped code, and the faulty one that replaces it. */
enum PlantedBug {
  PUSH_OF_IMPORTED_COUNTS(
      "local/SharedCounter.java",
      "long ofCurrent = own() + others() - published.imported();",
      "long ofCurrent = own() + others();"),

  PUSH_THAT_FAILED_IS_NOT_RETRIED(
      "global/Pusher.java",
      "pushes.forEach(push -> requeue(push.series()));\n    failed = true;",
      "failed = true;",
      plan -> pushesAll(plan) && has(plan, FaultKind.DATABASE_REFUSES)),

  PUSH_LOST_BY_THE_DATABASE_IS_NOT_DETECTED(
      "local/PublishedCell.java",
      "boolean lostNow = pushed > 0 && isOverdue(pullStartSeconds);",
      "boolean lostNow = false;",
      plan -> pushesAll(plan) && has(plan, FaultKind.DATABASE_LOSES_COMMITS)),

  PULL_OF_THE_OWN_REGION_IS_IMPORTED(
      "global/PushCheck.java",
      "&& counter.mergeRegional(cell.startMillis(), component.count(), began, nowMillis);",
      "&& counter.mergeImported(cell.startMillis(), 99, component.count(), nowMillis);"),

  PULL_SKIPS_WHAT_CHANGES_NEXT(
      "global/Puller.java",
      "since = next;",
      "since = Math.max(since, next + 5_000);",
      plan -> pushesAll(plan) && plan.faults().isEmpty()),

  REPLAY_THAT_FAILED_IS_NOT_RETRIED(
      "regional/Replayer.java", "paused.add(new Paused(series, untilNanos));", "queue.done();"),

  REPLAY_TOO_SELDOM(
      "regional/Replayer.java",
      "long nowNanos = scheduler.elapsedNanos();\n    for (Paused head;",
      "long nowNanos = scheduler.elapsedNanos();\n    if (nowNanos / 10_000_000 % 50 != 0) {\n      return;\n    }\n    for (Paused head;",
      plan -> has(plan, FaultKind.NODE_CRASHES)),

  REPLAY_OF_WHAT_PEERS_COUNTED(
      "regional/GuardedOrigin.java",
      "return new OwnCount(writer(cell), windowCell(cell), cell.count());",
      "return new OwnCount(writer(cell), windowCell(cell), cell.count() + cell.confirmed());"),

  REPLAY_STOPS_WITH_AN_ERROR_OF_THE_ADAPTER(
      "regional/Replayer.java",
      "confirmed.whenComplete((all, failure) -> arrived(series, failure == null));",
      "confirmed.whenComplete((all, failure) -> {\n        if (!String.valueOf(failure).contains(\"Error\")) {\n          arrived(series, failure == null);\n        }\n      });",
      plan -> has(plan, FaultKind.ORIGIN_CLIENT_THROWS)),

  MERGE_OF_OWN_COUNTS_AS_PEERS(
      "regional/GuardedOrigin.java",
      "return new CellAnswer(count.peers(),",
      "return new CellAnswer(count.total(),"),

  MERGE_THAT_TAKES_THE_LAST_INSTEAD_OF_THE_GREATER(
      "local/PublishedCell.java",
      "long growth = Math.max(0, sum - imported);",
      "long growth = sum - imported;"),

  MERGE_OF_IMPORTS_FROM_BOTH_WAYS_ADDS_THEM(
      "local/PublishedCell.java",
      "return raiseImported((counts.length == 0 ? 0 : counts[CARRIED]) + sum, counting);",
      "return raiseImported(java.util.Arrays.stream(counts).sum() + sum, counting);",
      plan -> !plan.alone()),

  IMPORTS_IN_ANSWERS_ARE_IGNORED(
      "local/SharedCounter.java",
      "return addImported(cell, cell.raiseAll(answer.imported(), answer.regions()));",
      "return false;"),

  READER_NEVER_GIVES_UP_ITS_LEASE(
      "global/GlobalLayer.java",
      "regional.setCanRead(puller.canRead(nowNanos));",
      "regional.setCanRead(true);",
      plan -> plan.nodes().size() > 1
          && plan.faults().stream().anyMatch(fault -> canBeTakenOver(fault, plan))),

  READER_SKIPS_THE_LAST_ROWS(
      "global/OriginImports.java",
      "if (!chunk.isEmpty()) {",
      "if (chunk.size() > 2) {",
      PlantedBug::pushesAll),

  READER_IGNORES_ROWS_THAT_WERE_NOT_STORED(
      "global/Puller.java",
      "incomplete = stored != Imports.Stored.ALL || (incomplete && !full);",
      "incomplete = false;",
      PlantedBug::pushesAll),

  READER_DOES_NOT_START_WITH_EVERYTHING(
      "global/Puller.java",
      "void startOver() {\n    fullPullDue = true;",
      "void startOver() {",
      PlantedBug::pushesAll),

  NODE_WITHOUT_ORIGIN_DOES_NOT_PULL(
      "global/GlobalLayer.java",
      "if (regional == null || regional.isSilent()) {",
      "if (regional == null) {",
      plan -> pushesAll(plan)
          && plan.faults().stream().anyMatch(fault -> fault.has(FaultTrait.CUTS_OFF_ORIGIN))),

  PUSHED_COUNTS_OF_THE_ORIGIN_ARE_USED_AFTER_A_LOSS(
      "local/PublishedCell.java",
      "if (count > pushed && !lost) {",
      "if (count > pushed) {",
      plan -> pushesAll(plan) && has(plan, FaultKind.DATABASE_LOSES_COMMITS)),

  ROTATION_LOSES_THE_PREVIOUS_CELL(
      "local/SharedCounter.java", "previousOwn = finalOwn;", "previousOwn = 0;"),

  SHARE_IS_IGNORED(
      "local/Share.java",
      "return unconfirmed > 0 && effective + unconfirmed * (divisor - 1) > limit;",
      "return false;"),

  SHARE_IS_OF_ALL_THAT_IS_LEFT("local/Share.java", "ALONE : 2 * Math.min(", "ALONE : Math.min("),

  SHARE_IS_NEVER_RENEWED(
      "local/SharedCounter.java",
      "      confirmed = Math.max(confirmed, cell.count());",
      "      confirmed = Math.max(confirmed, 0);"),

  REGISTRATION_IS_NOT_RENEWED(
      "regional/Membership.java",
      "dueNanos = now + RegionalTimings.REGISTRATION_INTERVAL.toNanos();",
      "dueNanos = Long.MAX_VALUE;"),

  BATCH_THAT_WAITED_IS_NEVER_DENIED(
      "local/Batch.java", "unsure = false; // of an earlier try\n", "\n"),

  BATCH_CHECKS_ITS_FIRST_REQUEST_ONLY(
      "local/Batch.java",
      "for (int i = 0; i < requests.length; i++) {\n      if (!targets[i].admits(",
      "for (int i = 0; i < 1; i++) {\n      if (!targets[i].admits("),

  BATCH_CHARGES_A_PART(
      "local/Batch.java",
      "counter.release(allowed ? charge : 0);",
      "counter.release(allowed ? Math.min(charge, requests[0].cost()) : 0);"),

  EVICTED_SERIES_KEEP_THEIR_INCARNATION(
      "local/SeriesStore.java", "incarnations.incrementAndGet()", "1"),

  EVICTED_SERIES_ARE_NOT_SENT(
      "regional/Replayer.java",
      "for (OwnCell cell : series.unconfirmed()) {",
      "for (OwnCell cell : series.isRemoved() ? List.<OwnCell>of() : series.unconfirmed()) {"),

  EVICTION_DOES_NOT_KEEP_THE_BOUND(
      "local/SeriesStore.java", "if (known >= maxSeries) {", "if (known >= 100 * maxSeries) {"),

  LOSS_CHECK_DETECTS_NOTHING(
      "regional/GuardedOrigin.java", "lostCounts = true;", "lostCounts = false;"),

  STRICT_MODE_DOES_NOT_READ(
      "local/RefreshableCounter.java",
      "return !table.hasOrigin() || (isFresh(nowMillis) && !isStrict(nowMillis));",
      "return !table.hasOrigin() || isFresh(nowMillis);"),

  READS_HAVE_TOO_LONG_A_TIMEOUT(
      "regional/RegionalTimings.java",
      "static final Duration READ_TIMEOUT = Duration.ofMillis(300);",
      "static final Duration READ_TIMEOUT = Duration.ofMillis(600);"),

  ANSWERS_STAY_FRESH_FOR_50_SECONDS(
      "local/LocalTimings.java",
      "static final long FRESH_MILLIS = Duration.ofSeconds(5)",
      "static final long FRESH_MILLIS = Duration.ofSeconds(50)",
      plan -> plan.fillers() > 0),

  ANSWERS_AGE_BY_THE_CLOCK(
      "local/SeriesStore.java",
      "if (Math.abs(difference - elapsedLessClockMillis) > LocalTimings.ALIGNED_MILLIS) {",
      "if (elapsedLessClockMillis == 0) {",
      plan -> plan.fillers() > 0 && isSetBack(plan, 60_000)),

  FAILED_READS_ARE_NEVER_RETRIED_WITH_A_WAIT(
      "regional/Refresher.java",
      "!counter.readFailedWithin(RegionalTimings.NO_WAIT_NANOS, now)",
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
      "if (!walk.hasNext() || scheduler.elapsedNanos() % 10_000_000_000L < 100_000_000L) {",
      plan -> plan.fillers() > 0 && has(plan, FaultKind.ORIGIN_LOSES_A_CELL)),

  CLOCK_THAT_WAS_AHEAD_LOCKS_A_SERIES(
      "local/SeriesTable.java",
      "return counter.isAhead(nowMillis, windowMillis)\n        &&",
      "return false &&",
      plan -> plan.clocksAreSet()),

  CLOCK_THAT_WAS_SET_BACK_HIDES_OTHER_REGIONS(
      "global/Puller.java",
      "&& cell.expiresAtMillis() > nowMillis;",
      "&& cell.expiresAtMillis() > nowMillis && cell.startMillis() <= nowMillis;",
      plan -> !plan.alone() && plan.clocksDiffer(Long.MAX_VALUE)),

  OBSERVER_THAT_THROWS_FAILS_DECISIONS(
      "SafeObserver.java",
      "notification.run();\n    } catch (RuntimeException | Error e) {\n      log.failed(event, e);",
      "notification.run();\n    } catch (RuntimeException | Error e) {\n      throw e;",
      plan -> has(plan, FaultKind.OBSERVER_THROWS)),

  SHORT_WINDOWS_ARE_PUBLISHED(
      "local/QueuedCounter.java",
      "(table.isPublished() ? 0 : FOR_PUSH));",
      "0);",
      plan -> !plan.alone());

  private final String file;
  private final String shipped;
  private final String planted;

  @SuppressWarnings("ImmutableEnumChecker") // the predicates have no state
  private final Predicate<Scenario> shows;

  PlantedBug(String file, String shipped, String planted) {
    this(file, shipped, planted, plan -> true);
  }

  /** A bug that only some plans can reveal; other seeds are not tried. */
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

  /** Whether several regions push all counts and evict none. */
  private static boolean pushesAll(Scenario plan) {
    return plan.policy().pushesAll() && plan.nodes().size() > 1 && !plan.isCrowded();
  }

  private static boolean has(Scenario plan, FaultKind kind) {
    return plan.faults().stream().anyMatch(fault -> fault.kind() == kind);
  }

  /** Whether a node is cut off from the database for so long that another one has to read. */
  private static boolean canBeTakenOver(Fault fault, Scenario plan) {
    return fault.kind().ofNode() == FaultKind.DATABASE_LINK_CUT
        && fault.untilNanos() - fault.fromNanos() > TimeBounds.handover(plan, fault)
        && plan.nodes().get(fault.region()) > 1;
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
