package io.tidegate.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The JSON that the page shows. Reads all parts; any thread may call. */
final class State {

  private final Fleet fleet;
  private final Traffic traffic;
  private final Sampler sampler;
  private final Client client;
  private final Actions actions;
  private final Events events;

  /** When the servers had started; null before. */
  private volatile @Nullable Long startedMillis;

  private volatile boolean console;

  State(
      Fleet fleet,
      Traffic traffic,
      Sampler sampler,
      Client client,
      Actions actions,
      Events events) {
    this.fleet = fleet;
    this.traffic = traffic;
    this.sampler = sampler;
    this.client = client;
    this.actions = actions;
    this.events = events;
  }

  /**
   * Records that the servers have started.
   *
   * @param console whether nodes serve the console
   */
  void started(boolean console) {
    this.console = console;
    startedMillis = System.currentTimeMillis();
  }

  Map<String, @Nullable Object> json() {
    long now = System.currentTimeMillis();
    return Json.object(
        "time", now,
        "startedAt", startedMillis,
        "console", console,
        "limit", User.LIMIT,
        "windowMillis", User.WINDOW_MILLIS,
        "totals", totals(),
        "rates", rates(),
        "users", list(traffic.users(), user -> user(user, now)),
        "regions", list(fleet.regions(), State::region),
        "bursting", traffic.isBursting(),
        "attacking", traffic.activeAttacker() != null,
        "faults", actions.faults(),
        "events", list(events.all(), State::event));
  }

  private Map<String, @Nullable Object> totals() {
    Traffic.Totals totals = traffic.totals();
    return Json.object(
        "requests", totals.requests(),
        "admitted", totals.admitted(),
        "denied", totals.denied(),
        "degraded", totals.degraded(),
        "failed", totals.failed(),
        "skipped", totals.skipped(),
        "retried", client.retried(),
        "lastFailure", traffic.lastFailure());
  }

  private Map<String, @Nullable Object> rates() {
    Sampler.Rates rates = sampler.rates();
    return Json.object(
        "requests", rates.requests(),
        "admitted", rates.admitted(),
        "denied", rates.denied(),
        "degraded", rates.degraded());
  }

  private static Map<String, @Nullable Object> user(User user, long now) {
    return Json.object(
        "name", user.name(),
        "traffic", user.traffic(),
        "admitted", user.admitted().at(now),
        "admittedMost", user.admitted().most(),
        "reference", user.reference().at(now),
        "referenceMost", user.reference().most(),
        "samples", list(user.samples(), State::sample));
  }

  /** An array instead of an object, because there are hundreds: time, counts, beliefs. */
  private static List<@Nullable Object> sample(User.Sample sample) {
    List<@Nullable Object> values = new ArrayList<>();
    values.add(sample.timeMillis());
    values.add(sample.admitted());
    values.add(sample.reference());
    values.addAll(sample.beliefs());
    return values;
  }

  private static Map<String, @Nullable Object> region(Region region) {
    return Json.object(
        "name", region.name(),
        "redisRunning", region.isRedisRunning(),
        "connected", region.isConnected(),
        "redis", store(region.redisFailure()),
        "database", store(region.databaseFailure()),
        "nodes", list(region.nodes(), State::node));
  }

  private static Map<String, @Nullable Object> store(Optional<Health.Dependency> failure) {
    return failure
        .map(store -> Json.object("status", store.status(), "reason", store.reason()))
        .orElseGet(() -> Json.object("status", "ok"));
  }

  private static Map<String, @Nullable Object> node(Node node) {
    return Json.object(
        "name", node.name(),
        "state", node.state().name().toLowerCase(Locale.ROOT),
        "status", node.health().map(Health::status).orElse("unknown"),
        "reading", node.isReading(),
        "api", "http://127.0.0.1:" + node.apiPort(),
        "admin", "http://127.0.0.1:" + node.adminPort());
  }

  private static Map<String, @Nullable Object> event(Events.Event event) {
    return Json.object(
        "time", event.timeMillis(),
        "kind", event.kind().name().toLowerCase(Locale.ROOT),
        "text", event.text(),
        "watch", event.watch());
  }

  private static <T> List<Object> list(List<T> items, Function<T, Object> json) {
    List<Object> list = new ArrayList<>();
    items.forEach(item -> list.add(json.apply(item)));
    return list;
  }
}
