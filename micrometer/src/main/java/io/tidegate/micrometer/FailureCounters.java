package io.tidegate.micrometer;

import io.tidegate.spi.LimiterObserver.CallFailure;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the failed calls of one kind, by reason. */
final class FailureCounters {

  private final EnumTable<CallFailure, LongAdder> byReason;

  FailureCounters(Meters meters, String name, String description, String... tags) {
    this.byReason = new EnumTable<>(CallFailure.class, failure -> {
      String[] withReason = Arrays.copyOf(tags, tags.length + 2);
      withReason[tags.length] = "reason";
      withReason[tags.length + 1] = Meters.value(failure);
      return meters.counter(name, description, withReason);
    });
  }

  void count(CallFailure failure) {
    byReason.get(failure).increment();
  }

  /** Failed calls that were made; the circuit breaker skipped the others. */
  long attempted() {
    return byReason.get(CallFailure.TIMEOUT).sum()
        + byReason.get(CallFailure.OTHER).sum();
  }
}
