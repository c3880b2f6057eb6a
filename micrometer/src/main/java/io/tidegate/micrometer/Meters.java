package io.tidegate.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;

/**
 * Registers the limiter's meters, with the tags that the application adds to all of them.
 *
 * <p>Counters are adders, which cost a few nanoseconds to raise and are summed when the registry
 * reads them. Counters of Micrometer itself cost several times as much. The registry holds adders
 * and sources weakly, so the caller keeps them.
 */
final class Meters {

  private static final String PREFIX = "tidegate.";

  /** Upper bounds of the buckets: from an origin in the same zone to a slow database far away. */
  private static final Duration[] CALL_BOUNDS =
      millis(1, 2, 5, 10, 20, 50, 100, 200, 300, 400, 500, 750, 1_000, 2_000, 3_000, 5_000, 10_000);

  private final MeterRegistry registry;
  private final Tags tags;

  Meters(MeterRegistry registry, Iterable<Tag> tags) {
    this.registry = registry;
    this.tags = Tags.of(tags);
  }

  /** Registers a counter and returns its adder. */
  LongAdder counter(String name, String description, String... tags) {
    LongAdder adder = new LongAdder();
    counter(adder, LongAdder::sum, name, description, tags);
    return adder;
  }

  /** Registers a counter whose total is computed when it is read. The total must not shrink. */
  <T> void counter(
      T source, ToDoubleFunction<T> total, String name, String description, String... tags) {
    FunctionCounter.builder(PREFIX + name, source, total)
        .description(description)
        .tags(this.tags.and(tags))
        .register(registry);
  }

  /** Registers a gauge whose value is computed when it is read. */
  <T> void gauge(T source, ToDoubleFunction<T> value, String name, String description) {
    Gauge.builder(PREFIX + name, source, value)
        .description(description)
        .tags(tags)
        .register(registry);
  }

  /** Registers a histogram of the duration of calls to another server. */
  Timer timer(String name, String description, String... tags) {
    return Timer.builder(PREFIX + name)
        .description(description)
        .tags(this.tags.and(tags))
        .serviceLevelObjectives(CALL_BOUNDS)
        .register(registry);
  }

  /** The constant in lower case, as values of tags are written. */
  static String value(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static Duration[] millis(long... bounds) {
    Duration[] durations = new Duration[bounds.length];
    for (int i = 0; i < bounds.length; i++) {
      durations[i] = Duration.ofMillis(bounds[i]);
    }
    return durations;
  }
}
