package io.tidegate.benchmarks.soak;

import io.tidegate.benchmarks.load.HttpRequests;
import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.PreparedRequest;
import io.tidegate.benchmarks.load.TidegateProcess;
import java.util.function.LongUnaryOperator;

/**
 * The keys of requests. Each request has two limits: the first is that of an identifier, which
 * comes and goes; the second is that of a tenant, which stays.
 *
 * @param newPerRequest identifiers that are replaced by new ones, per request
 * @param identifiers identifiers in use at a time
 */
record Traffic(double newPerRequest, int identifiers) implements LongUnaryOperator {

  static final String TENANTS = "tenants";

  /** The longest window that is common, so that no count expires during a run. */
  static final long TENANT_MILLIS = 30L * 24 * 60 * 60 * 1_000;

  private static final int LIMITS = 2;

  /** Enough digits for the identifiers of weeks. */
  private static final String KEY = "user_000000000";

  static HttpRequests requests(TidegateProcess.Address server) {
    String body = "[%s,%s]".formatted(limit("identifiers", 60_000), limit(TENANTS, TENANT_MILLIS));
    return HttpRequests.toTidegate(server, "multiLimit", body);
  }

  private static String limit(String namespace, long windowMillis) {
    return "{\"namespace\":\"%s\",\"identifier\":\"%s\",\"limit\":1000000000,\"duration\":%d}"
        .formatted(namespace, KEY, windowMillis);
  }

  PreparedRequest prepare(HttpRequests requests) {
    return new PreparedRequest(requests.text(), this);
  }

  /** The number of a key: a tenant's for odd uses, an identifier's for even ones. */
  @Override
  public long applyAsLong(long use) {
    long request = use / LIMITS;
    if (use % LIMITS == 1) {
      return Identifiers.numberOfRank((int) (request % Settings.TENANTS), Settings.TENANTS);
    }
    long oldest = (long) (request * newPerRequest);
    return oldest + Math.floorMod(scramble(request), identifiers);
  }

  /** Different for successive numbers, and the same in every run. */
  private static long scramble(long number) {
    long mixed = number * 0x9E3779B97F4A7C15L;
    return ((mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L) >>> 8;
  }
}
