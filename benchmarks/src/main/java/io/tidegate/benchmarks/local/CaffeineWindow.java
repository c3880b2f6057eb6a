package io.tidegate.benchmarks.local;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidegate.benchmarks.load.Quota;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A fixed window per cache entry. It begins with the first request of its identifier and ends when
 * the entry expires; the cache reads the clock at every access.
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
