package io.tidegate.testing;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OriginCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory origin for tests with several nodes. It answers immediately, unless {@link #fail} or
 * {@link #hold} is called. Thread-safe.
 *
 * <pre>{@code
 * InMemoryOrigin origin = new InMemoryOrigin();
 * RateLimiter one = RateLimiter.builder().clock(time).scheduler(time).origin(origin).build();
 * RateLimiter other = RateLimiter.builder().clock(time).scheduler(time).origin(origin).build();
 * one.tryAcquire(request);
 * time.advance(Duration.ofMillis(10)); // other has received the count
 * }</pre>
 */
public final class InMemoryOrigin implements RegionalOrigin {

  private record Key(String region, WindowCell cell) {}

  private final Map<Key, Map<String, Long>> counts = new HashMap<>();

  /** Pushed counts by their region. */
  private final Map<Key, Map<String, Long>> stored = new HashMap<>();

  private final Map<String, Set<String>> nodes = new HashMap<>();
  private final Map<String, String> readers = new HashMap<>();
  private final Map<String, String> identities = new HashMap<>();
  private final List<WindowCell> reads = new ArrayList<>();
  private final List<OwnCount> replays = new ArrayList<>();
  private final List<Component> stores = new ArrayList<>();
  private final Answers answers = new Answers();

  /** Creates an empty origin. */
  public InMemoryOrigin() {}

  @Override
  public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
    note(reads, List.of(counts.get(0).cell()));
    return answers.answer(() -> counts.stream().map(this::raise).toList(), () -> {});
  }

  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    note(replays, counts);
    return counts.stream()
        .map(count -> answers.answer(() -> raise(count), () -> {}))
        .toList();
  }

  @Override
  public CompletionStage<Void> store(String region, List<Component> components) {
    note(stores, components);
    return answers.answer(() -> raise(region, components), () -> {}).thenAccept(count -> {});
  }

  /**
   * {@inheritDoc} Nodes stay registered until they leave, because this origin has no clock;
   * {@link #expireNodes} lets their lifetime pass.
   */
  @Override
  public CompletionStage<LiveNodes> register(Registration registration) {
    return answers.answer(() -> add(registration), () -> {});
  }

  @Override
  public CompletionStage<Optional<String>> identify(String region, String candidate) {
    return answers.answer(() -> Optional.of(identity(region, candidate)), () -> {});
  }

  @Override
  public CompletionStage<OriginCell> inspect(String region, WindowCell cell) {
    return answers.answer(() -> held(new Key(region, cell)), () -> {});
  }

  private synchronized OriginCell held(Key key) {
    return new OriginCell(counts.getOrDefault(key, Map.of()), stored.getOrDefault(key, Map.of()));
  }

  private synchronized <T> void note(List<T> calls, List<T> more) {
    calls.addAll(more);
  }

  /**
   * Makes every call fail from now on: {@code origin.fail(new IllegalStateException("down"))}.
   *
   * @param with the failure, or null to let calls succeed again
   */
  public void fail(@Nullable RuntimeException with) {
    answers.fail(with);
  }

  /** Delays all calls from now on, and their effect: {@code origin.hold()}. */
  public void hold() {
    answers.hold();
  }

  /** Performs and answers delayed calls, and stops delaying: {@code origin.release()}. */
  public void release() {
    answers.release();
  }

  /**
   * Loses all counts, nodes and identities, as a restart without data does:
   * {@code origin.loseCounts()}.
   */
  public synchronized void loseCounts() {
    counts.clear();
    stored.clear();
    identities.clear();
    expireNodes();
  }

  /** Lets the lifetime of all registrations pass: {@code origin.expireNodes()}. */
  public synchronized void expireNodes() {
    nodes.clear();
    readers.clear();
  }

  /**
   * Returns the reader of a region: {@code origin.reader("eu")}.
   *
   * @param region the region
   * @return the node; empty if there is none
   */
  public synchronized Optional<String> reader(String region) {
    return Optional.ofNullable(readers.get(region));
  }

  /**
   * Returns the count of a cell over all writers: {@code origin.total("eu", WindowCell.at(series,
   * now))}.
   *
   * @param region the region
   * @param cell the cell
   * @return the sum
   */
  public synchronized long total(String region, WindowCell cell) {
    return count(new Key(region, cell), "").total();
  }

  /**
   * Returns all reads so far: {@code origin.reads().size()}.
   *
   * @return the first cell of each read, in their order
   */
  public synchronized List<WindowCell> reads() {
    return List.copyOf(reads);
  }

  /**
   * Returns all replayed counts so far: {@code origin.replays().size()}.
   *
   * @return the counts, in the order of the calls
   */
  public synchronized List<OwnCount> replays() {
    return List.copyOf(replays);
  }

  /**
   * Returns all components that were to be stored so far: {@code origin.stores().size()}.
   *
   * @return the components, in the order of the calls
   */
  public synchronized List<Component> stores() {
    return List.copyOf(stores);
  }

  /** Empties {@link #reads}, {@link #replays} and {@link #stores}: {@code origin.clearCalls()}. */
  public synchronized void clearCalls() {
    reads.clear();
    replays.clear();
    stores.clear();
  }

  /** Does nothing: several limiters may share the origin. */
  @Override
  public void close() {}

  private synchronized RegionalCount raise(OwnCount own) {
    Key key = new Key(own.writer().region(), own.cell());
    RegionalCount before = count(key, own.writer().name());
    if (own.count() > 0) {
      counts
          .computeIfAbsent(key, cell -> new HashMap<>())
          .merge(own.writer().name(), own.count(), Math::max);
    }
    return before;
  }

  private synchronized int raise(String region, List<Component> components) {
    for (Component component : components) {
      stored
          .computeIfAbsent(new Key(region, component.cell()), cell -> new HashMap<>())
          .merge(component.region(), component.count(), Math::max);
    }
    return components.size();
  }

  private synchronized LiveNodes add(Registration registration) {
    String region = registration.region();
    String node = registration.node();
    Set<String> live = nodes.computeIfAbsent(region, name -> new HashSet<>());
    boolean stays = !registration.lifetime().isZero();
    if (stays) {
      live.add(node);
    } else {
      live.remove(node);
    }
    boolean newReader = false;
    if (stays && registration.canRead()) {
      newReader = readers.putIfAbsent(region, node) == null;
    } else {
      readers.remove(region, node);
    }
    return new LiveNodes(live.size(), reader(region), newReader);
  }

  private synchronized String identity(String region, String candidate) {
    return identities.computeIfAbsent(region, first -> candidate);
  }

  private synchronized RegionalCount count(Key key, String writer) {
    Map<String, Long> parts = counts.getOrDefault(key, Map.of());
    Map<String, Long> regions = stored.getOrDefault(key, Map.of());
    long pushed = regions.getOrDefault(key.region(), 0L);
    return new RegionalCount(
        sum(parts),
        parts.getOrDefault(writer, 0L),
        sum(regions) - pushed,
        regions.size() - (pushed > 0 ? 1 : 0),
        pushed);
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
