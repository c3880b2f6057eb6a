package io.tidegate.benchmarks;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A rate limiter for one identifier, made into one for many by a map that never forgets. That is
 * less than what Tidegate does, which bounds its memory.
 */
final class MappedLimiter<T> implements Limiter {

  private final ConcurrentHashMap<String, T> limiters = new ConcurrentHashMap<>();
  private final String[] arrivals;
  private final Function<String, T> create;
  private final Predicate<T> take;

  MappedLimiter(String[] arrivals, Function<String, T> create, Predicate<T> take) {
    this.arrivals = arrivals;
    this.create = create;
    this.take = take;
  }

  @Override
  public void meet(String identifier) {
    allow(identifier);
  }

  @Override
  public boolean allow(int position) {
    return allow(arrivals[position]);
  }

  private boolean allow(String identifier) {
    T limiter = limiters.get(identifier);
    if (limiter == null) { // computeIfAbsent alone would lock for some that are present
      limiter = limiters.computeIfAbsent(identifier, create);
    }
    return take.test(limiter);
  }
}
