package io.tidegate.server.observe;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * State of the rule files of the node. Loads are reported by one thread at a time; any thread may
 * read.
 */
public final class RuleHealth {

  /** Errors that are shown; the command {@code tidegate rules check} shows all. */
  private static final int MAX_SHOWN = 10;

  /** Rules in use. */
  record Loaded(int domains, int rules, long atMillis) {}

  /**
   * Errors of files that are not in use.
   *
   * @param sinceMillis time of the first of the rejected loads in a row
   * @param count number of errors
   * @param first the first errors
   */
  record Rejected(long sinceMillis, int count, List<String> first) {}

  private final InstantSource clock;
  private final LongAdder loads = new LongAdder();
  private final LongAdder rejections = new LongAdder();

  /** Null if the node has no rule files. */
  private volatile @Nullable Loaded loaded;

  /** Null if the rules in use are those of the files. */
  private volatile @Nullable Rejected rejected;

  RuleHealth(InstantSource clock) {
    this.clock = clock;
  }

  /** Reports rules that were loaded. */
  public void loaded(int domains, int rules) {
    loads.increment();
    loaded = new Loaded(domains, rules, clock.millis());
    rejected = null;
  }

  /** Reports files with errors. The rules that were loaded before stay in use. */
  public void rejected(List<String> errors) {
    rejections.increment();
    Rejected last = rejected;
    rejected = new Rejected(
        last == null ? clock.millis() : last.sinceMillis,
        errors.size(),
        errors.stream().limit(MAX_SHOWN).toList());
  }

  @Nullable
  Loaded loaded() {
    return loaded;
  }

  @Nullable
  Rejected rejected() {
    return rejected;
  }

  /** Whether the rule files have errors, and older rules are in use. */
  boolean isRejected() {
    return rejected != null;
  }

  /** Number of rules in use. */
  int rules() {
    Loaded current = loaded;
    return current == null ? 0 : current.rules;
  }

  long loads() {
    return loads.sum();
  }

  long rejections() {
    return rejections.sum();
  }

  /** Seconds since rules were last loaded; NaN without rule files. */
  double secondsSinceLoad() {
    Loaded current = loaded;
    return current == null ? Double.NaN : (clock.millis() - current.atMillis) / 1000.0;
  }

  /** Seconds for which the files have had errors; 0 if they have none. */
  long rejectedSeconds() {
    Rejected current = rejected;
    return current == null ? 0 : Math.max(0, clock.millis() - current.sinceMillis) / 1_000;
  }
}
