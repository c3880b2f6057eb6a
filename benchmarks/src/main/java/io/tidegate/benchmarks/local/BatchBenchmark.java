package io.tidegate.benchmarks.local;

import io.tidegate.RateLimiter;
import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.Quota;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One request against several limits of Tidegate: per user, per account and so on. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BatchBenchmark {

  /** How the limits are checked. */
  public enum Kind {
    /** All or nothing; every limit has tokens left. */
    ALLOWED("batch that is allowed"),
    /** All or nothing; the last limit is exhausted. */
    DENIED("batch with one exhausted limit"),
    /** One after the other; tokens stay taken if a later request is denied. */
    SINGLES("as many single requests");

    final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  @Param
  @SuppressWarnings("NullAway.Init") // set by JMH
  public Kind kind;

  @Param({"2", "5", "10"})
  public int size;

  private final RateLimiter limiter = RateLimiter.inMemory();
  private List<LimitRequest> requests = List.of();

  @Setup
  public void prepare() {
    List<LimitRequest> created = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Quota quota = kind == Kind.DENIED && i == size - 1 ? Quota.SCANT : Quota.AMPLE;
      Limit limit = Limit.of(quota.tokens(), quota.window());
      created.add(LimitRequest.of("acme", "limit-" + i, Identifiers.identifier(i), limit));
    }
    requests = List.copyOf(created);
    if (kind == Kind.DENIED) {
      LimitRequest last = requests.get(size - 1);
      limiter.tryAcquire(last.withCost(last.limit()));
    }
  }

  @Benchmark
  public boolean decide() {
    return kind == Kind.SINGLES ? takeSingly() : limiter.tryAcquireAll(requests).allowed();
  }

  private boolean takeSingly() {
    boolean allowed = true;
    for (LimitRequest request : requests) {
      allowed &= limiter.tryAcquire(request).allowed();
    }
    return allowed;
  }

  @TearDown
  public void checkAnswer() {
    if (decide() == (kind == Kind.DENIED)) {
      throw new IllegalStateException(
          "a batch of %d requests gave the wrong answer: %s".formatted(size, kind));
    }
  }
}
