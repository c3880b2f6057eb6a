package io.tidegate.benchmarks.local;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** A limiter per identifier in an unbounded map; Tidegate, in contrast, bounds its memory. */
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
    if (limiter == null) { // computeIfAbsent alone may lock for keys that are present
      limiter = limiters.computeIfAbsent(identifier, create);
    }
    return take.test(limiter);
  }
}
