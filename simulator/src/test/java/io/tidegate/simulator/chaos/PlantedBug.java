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
      plan -> plan.policy() == Policy.ALL && plan.has(Fault.Kind.DATABASE_REFUSES)),

  PUSH_LOST_BY_THE_DATABASE_IS_NOT_NOTICED(
      "local/Components.java",
      "boolean lost = pushed > 0 && isOverdue(pullSeconds);",
      "boolean lost = false;",
      plan -> plan.has(Fault.Kind.DATABASE_LOSES_COMMITS)),

  PULL_TAKES_ITS_OWN_REGION_FOR_ANOTHER(
      "global/Puller.java",
      "if (component.region().equals(region)) {",
      "if (component.region().isEmpty()) {"),

  PULL_SKIPS_WHAT_CHANGES_NEXT(
      "global/Puller.java",
      "since = next;",
      "since = next + 10_000;",
      plan -> plan.nodes().size() > 1 && plan.faults().isEmpty()),

  REPLAY_THAT_FAILED_IS_FORGOTTEN(
      "regional/Replayer.java",
      "paused.add(new Paused(counter, scheduler.elapsedNanos() + RETRY_NANOS));",
      "counter.unqueueForReplay();\n      unconfirmed.decrementAndGet();"),

  REPLAY_TOO_SELDOM(
      "regional/Replayer.java",
      "long nowNanos = scheduler.elapsedNanos();\n    for (Paused head;",
      "long nowNanos = scheduler.elapsedNanos();\n    if (nowNanos / 10_000_000 % 50 != 0) {\n      return;\n    }\n    for (Paused head;"),

  REPLAY_OF_WHAT_PEERS_COUNTED(
      "regional/Origin.java",
      "return new OwnCount(writer(message.counter()), cell(message.counter(), cell), cell.count());",
      "return new OwnCount(writer(message.counter()), cell(message.counter(), cell), cell.count() + cell.confirmed());"),

  MERGE_OF_OWN_COUNTS_AS_PEERS(
      "regional/Origin.java",
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

  PATROL_NOTICES_NOTHING("regional/Origin.java", "forgotten = true;", "forgotten = false;"),

  STRICT_MODE_ASKS_NOBODY(
      "local/SharedCounter.java",
      "|| isBefore(freshUntilMillis, nowMillis) && nowMillis >= strictUntilMillis();",
      "|| isBefore(freshUntilMillis, nowMillis);"),

  READS_ARE_WAITED_FOR_TOO_LONG(
      "regional/Origin.java",
      "static final Duration READ_TIMEOUT = Duration.ofMillis(300);",
      "static final Duration READ_TIMEOUT = Duration.ofMillis(600);");

  private final String file;
  private final String shipped;
  private final String planted;
  private final Predicate<Plan> shows;

  PlantedBug(String file, String shipped, String planted) {
    this(file, shipped, planted, plan -> true);
  }

  /** A bug that can show in some runs only: other seeds need not be tried. */
  PlantedBug(String file, String shipped, String planted, Predicate<Plan> shows) {
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

  boolean canShow(Plan plan) {
    return shows.test(plan);
  }
}
