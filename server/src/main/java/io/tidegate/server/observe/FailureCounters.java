package io.tidegate.server.observe;

import io.tidegate.spi.LimiterObserver.CallFailure;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the failed calls of one kind, by reason. */
final class FailureCounters {

  private final EnumTable<CallFailure, LongAdder> byReason;

  FailureCounters(Registry registry, String name, String help, String... labels) {
    this.byReason = new EnumTable<>(CallFailure.class, failure -> {
      String[] withReason = Arrays.copyOf(labels, labels.length + 2);
      withReason[labels.length] = "reason";
      withReason[labels.length + 1] = Registry.label(failure);
      return registry.counter(name, help, withReason);
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
