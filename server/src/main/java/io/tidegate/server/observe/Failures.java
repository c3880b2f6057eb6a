package io.tidegate.server.observe;

import io.tidegate.spi.LimiterObserver.CallFailure;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the calls of one kind that failed, by reason. */
final class Failures {

  private final Map<CallFailure, LongAdder> byReason = new EnumMap<>(CallFailure.class);

  Failures(Registry registry, String name, String help, String... labels) {
    for (CallFailure failure : CallFailure.values()) {
      String[] withReason = Arrays.copyOf(labels, labels.length + 2);
      withReason[labels.length] = "reason";
      withReason[labels.length + 1] = Registry.label(failure);
      byReason.put(failure, registry.counter(name, help, withReason));
    }
  }

  void count(CallFailure failure) {
    byReason.get(failure).increment();
  }

  /** How many calls were made and failed; the breaker's refusals were not made. */
  long made() {
    return byReason.get(CallFailure.TIMEOUT).sum()
        + byReason.get(CallFailure.OTHER).sum();
  }
}
