package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Compares the limiter with one that is too simple to be wrong: any interleaving of single
 * requests, recorded costs and batches, windows, limits, costs, and clock jumps in both directions.
 * Every field of every decision must agree.
 */
class OracleTest {

  /**
   * A clock jump, followed by one request or by a batch of several.
   *
   * @param recorded whether the cost of a single request is recorded
   */
  record Step(long jumpMillis, List<LimitRequest> requests, boolean recorded) {}

  @Test
  void everyDecisionEqualsTheDecisionOfTheOracle() {
    Property.check(3_500, random -> checkDecisions(start(random), steps(random)));
  }

  private static void checkDecisions(long start, List<Step> steps) {
    long[] clock = {start};
    RateLimiter limiter = RateLimiter.builder()
        .clock(() -> Instant.ofEpochMilli(clock[0]))
        .scheduler((interval, work) -> () -> {})
        .build();
    Oracle oracle = new Oracle();
    long now = start;
    for (Step step : steps) {
      now += step.jumpMillis();
      clock[0] = now;
      if (step.requests().size() == 1) {
        LimitRequest request = step.requests().get(0);
        if (step.recorded()) {
          assertThat(limiter.record(request, now)).isEqualTo(oracle.record(request, now));
        } else {
          assertThat(limiter.tryAcquire(request, now)).isEqualTo(oracle.tryAcquire(request, now));
        }
      } else {
        assertThat(limiter.tryAcquireAll(step.requests(), now))
            .isEqualTo(oracle.tryAcquireAll(step.requests(), now));
      }
    }
  }

  /** The same through a gate that was created before anything was counted. */
  @Test
  void everyDecisionOfAGateEqualsTheDecisionOfTheOracle() {
    Property.check(1_200, random -> checkGates(start(random), steps(random)));
  }

  private static void checkGates(long start, List<Step> steps) {
    long[] clock = {start};
    RateLimiter limiter = RateLimiter.builder()
        .clock(() -> Instant.ofEpochMilli(clock[0]))
        .scheduler((interval, work) -> () -> {})
        .build();
    Map<Scope, Gate> gates = new HashMap<>();
    Oracle oracle = new Oracle();
    long now = start;
    for (Step step : steps) {
      now += step.jumpMillis();
      clock[0] = now;
      for (LimitRequest request : step.requests()) {
        Gate gate = gates.computeIfAbsent(request.scope(), limiter::gate);
        assertThat(gate.take(request.identifier(), request.limit(), request.cost(), now))
            .isEqualTo(oracle.tryAcquire(request, now).allowed());
      }
    }
  }

  private static long start(Generator random) {
    return random.oneOf(
        0L, -1L, -123_456_789L, 1_800_000_000_000L, 999_999_000_000_000L, -999_999_000_000_000L);
  }

  private static List<Step> steps(Generator random) {
    return random.list(
        1, 60, () -> new Step(jump(random), requests(random), random.nextInt(4) == 0));
  }

  private static long jump(Generator random) {
    return switch (random.nextInt(5)) {
      case 0 -> 0;
      case 1 -> random.between(1, 700);
      case 2 -> random.between(900, 2_100);
      case 3 -> random.between(-3_000, -1);
      default -> random.between(-1_000_000, 1_000_000);
    };
  }

  private static List<LimitRequest> requests(Generator random) {
    return random.nextBoolean()
        ? List.of(request(random))
        : random.list(2, 5, () -> request(random));
  }

  private static LimitRequest request(Generator random) {
    Scope scope = new Scope("acme", "login", random.oneOf(1_000L, 1_500L));
    return new LimitRequest(
        scope, random.oneOf("a", "b"), random.between(0, 12), random.between(0, 5));
  }

  /**
   * Keeps the count of every cell forever, and finds the retry time by trying every millisecond.
   */
  private static final class Oracle {

    record Key(Scope scope, String identifier) {}

    private final Map<Key, Map<Long, Long>> counts = new HashMap<>();
    private final Map<Key, Long> newest = new HashMap<>();

    Decision tryAcquire(LimitRequest request, long now) {
      Key key = roll(request, now);
      Decision decision = judge(key, request, request.cost(), now);
      if (decision.allowed()) {
        add(key, request.cost(), now);
      }
      return decision;
    }

    Decision record(LimitRequest request, long now) {
      Key key = roll(request, now);
      add(key, request.cost(), now);
      return judge(key, request, 0, now);
    }

    BatchDecision tryAcquireAll(List<LimitRequest> requests, long now) {
      List<Decision> decisions = new ArrayList<>();
      Map<Key, Long> charges = new HashMap<>();
      for (LimitRequest request : requests) {
        Key key = roll(request, now);
        decisions.add(judge(key, request, charges.merge(key, request.cost(), Long::sum), now));
      }
      if (decisions.stream().allMatch(Decision::allowed)) {
        charges.forEach((key, cost) -> add(key, cost, now));
        return new BatchDecision(true, decisions);
      }
      for (int i = 0; i < decisions.size(); i++) {
        if (decisions.get(i).allowed()) {
          decisions.set(i, judge(roll(requests.get(i), now), requests.get(i), 0, now));
        }
      }
      return new BatchDecision(false, decisions);
    }

    /**
     * Advances the newest cell of a series to the present. Time never runs backwards for a series
     * that has counts, unless its newest cell lies more than a window ahead: then its two cells are
     * moved to the present.
     */
    private Key roll(LimitRequest request, long now) {
      Key key = new Key(request.scope(), request.identifier());
      long window = key.scope().windowMillis();
      Long last = newest.get(key);
      if (last != null && last * window - now > window) {
        long present = sequence(key, now);
        counts.put(
            key,
            new HashMap<>(Map.of(present, count(key, last), present - 1, count(key, last - 1))));
        newest.put(key, present);
      }
      newest.computeIfPresent(key, (k, sequence) -> Math.max(sequence, sequence(k, now)));
      return key;
    }

    private void add(Key key, long cost, long now) {
      if (cost == 0) {
        return; // a peek is not counted
      }
      newest.merge(key, sequence(key, now), Math::max);
      counts.computeIfAbsent(key, k -> new HashMap<>()).merge(newest.get(key), cost, Long::sum);
    }

    private Decision judge(Key key, LimitRequest request, long cost, long now) {
      long window = key.scope().windowMillis();
      long sequence = Math.max(sequence(key, now), newest.getOrDefault(key, Long.MIN_VALUE));
      long effective = effective(key, cost, now);
      boolean allowed = request.limit() > 0 && effective <= request.limit();
      long remaining = allowed ? request.limit() - effective : 0;
      long retryAfter = allowed ? 0 : retryAfter(key, request, cost, now);
      return new Decision(
          allowed,
          request.limit(),
          remaining,
          (sequence + 1) * window,
          retryAfter,
          effective,
          Decision.Source.LOCAL,
          false);
    }

    private long retryAfter(Key key, LimitRequest request, long cost, long now) {
      if (request.limit() == 0 || cost > request.limit()) {
        return Decision.NEVER;
      }
      // A request before the newest cell is decided as at the start of that cell.
      long newestStart =
          newest.getOrDefault(key, Long.MIN_VALUE / 1_000_000) * key.scope().windowMillis();
      long time = Math.max(now, newestStart);
      while (effective(key, cost, time) > request.limit()) {
        time++;
      }
      return time - now;
    }

    private long effective(Key key, long cost, long now) {
      long window = key.scope().windowMillis();
      long sequence = Math.max(sequence(key, now), newest.getOrDefault(key, Long.MIN_VALUE));
      long elapsed = Math.max(0, now - sequence * window);
      return count(key, sequence) + count(key, sequence - 1) * (window - elapsed) / window + cost;
    }

    private long count(Key key, long sequence) {
      return counts.getOrDefault(key, Map.of()).getOrDefault(sequence, 0L);
    }

    private static long sequence(Key key, long now) {
      return Math.floorDiv(now, key.scope().windowMillis());
    }
  }
}
