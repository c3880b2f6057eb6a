package io.tidegate.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A fixed window held by a cache: an entry is a window. It begins with its identifier's first
 * request and ends when the cache, which reads the clock and compares at every access, finds it
 * expired.
 */
final class CaffeineWindow implements Limiter {

  private final Cache<String, AtomicLong> windows;
  private final String[] arrivals;
  private final long limit;

  CaffeineWindow(String[] arrivals, Quota quota) {
    this.arrivals = arrivals;
    this.limit = quota.tokens();
    this.windows = Caffeine.newBuilder().expireAfterWrite(quota.window()).build();
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
    AtomicLong count = windows.get(identifier, absent -> new AtomicLong());
    while (true) {
      long seen = count.get();
      if (seen >= limit) {
        return false;
      }
      if (count.compareAndSet(seen, seen + 1)) {
        return true;
      }
    }
  }
}
