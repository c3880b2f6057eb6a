package io.tidegate.spring;

import io.tidegate.spi.LimiterObserver;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether the origin and the global counters answer, by the last calls of the limiter.
 *
 * <p>Reads and writes are kept apart: a Redis that is out of memory answers reads and fails writes,
 * and must not alternate between ok and degraded. Any thread reports and reads. A call that
 * succeeds after another success takes no lock, because there are many.
 */
final class ConnectionHealth implements LimiterObserver {

  /** A kind of call, with the connection that it uses. */
  private enum Call {
    ORIGIN_READ,
    ORIGIN_WRITE,
    PUSH,
    PULL
  }

  /** The first of the failures in a row, with the reason of the last one. */
  private record Outage(Instant since, CallFailure failure) {}

  private final boolean hasOrigin;
  private final boolean hasCounters;
  private final InstantSource clock;

  /** The calls that fail at present. Replaced as a whole under the lock of this, read by all. */
  private volatile Map<Call, Outage> outages = Map.of();

  ConnectionHealth(boolean hasOrigin, boolean hasCounters, InstantSource clock) {
    this.hasOrigin = hasOrigin;
    this.hasCounters = hasCounters;
    this.clock = clock;
  }

  /** Whether decisions rest on less than the counts that are shared. */
  boolean isDegraded() {
    return !outages.isEmpty();
  }

  /** The state of each connection: "ok", or since when and why not; empty without any. */
  Map<String, String> connections() {
    Map<Call, Outage> current = outages;
    Map<String, String> states = new LinkedHashMap<>();
    if (hasOrigin) {
      states.put("origin", state(current, Call.ORIGIN_READ, Call.ORIGIN_WRITE));
    }
    if (hasCounters) {
      states.put("globalCounters", state(current, Call.PUSH, Call.PULL));
    }
    return states;
  }

  private static String state(Map<Call, Outage> outages, Call one, Call other) {
    Outage outage = older(outages.get(one), outages.get(other));
    return outage == null
        ? "ok"
        : "degraded since " + outage.since + " ("
            + outage.failure.name().toLowerCase(Locale.ROOT).replace('_', ' ')
            + "); deciding from memory";
  }

  private static @Nullable Outage older(@Nullable Outage one, @Nullable Outage other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.since.isAfter(other.since) ? other : one;
  }

  @Override
  public void originAnswered(OriginOperation operation, long nanos) {
    succeeded(call(operation));
  }

  @Override
  public void originFailed(OriginOperation operation, CallFailure failure) {
    failed(call(operation), failure);
  }

  @Override
  public void pushed(int rows, long nanos) {
    succeeded(Call.PUSH);
  }

  @Override
  public void pushFailed(CallFailure failure) {
    failed(Call.PUSH, failure);
  }

  @Override
  public void pulled(int rows, int applied, int created, long nanos) {
    succeeded(Call.PULL);
  }

  @Override
  public void pullFailed(CallFailure failure) {
    failed(Call.PULL, failure);
  }

  private static Call call(OriginOperation operation) {
    return switch (operation) {
      case READ_COLD, READ_STALE, READ_STRICT, READ_SHARE, LOSS_CHECK -> Call.ORIGIN_READ;
      case REPLAY, STORE -> Call.ORIGIN_WRITE;
    };
  }

  private void succeeded(Call call) {
    if (outages.containsKey(call)) {
      change(call, null);
    }
  }

  private void failed(Call call, CallFailure failure) {
    Outage outage = outages.get(call);
    // An open circuit keeps the reason that opened it.
    if (outage == null || (failure != CallFailure.CIRCUIT_OPEN && failure != outage.failure)) {
      change(call, failure);
    }
  }

  /** Records the end of an outage, if the failure is null, or its begin or another reason. */
  private synchronized void change(Call call, @Nullable CallFailure failure) {
    Map<Call, Outage> changed = new EnumMap<>(Call.class);
    changed.putAll(outages);
    Outage before = changed.remove(call);
    if (failure != null) {
      changed.put(call, new Outage(before == null ? clock.instant() : before.since, failure));
    }
    outages = changed;
  }
}
