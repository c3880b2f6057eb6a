package io.tidegate.benchmarks;

import io.tidegate.RateLimiter;
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

/** One request held against several limits of Tidegate: per user, per account and so on. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BatchBenchmark {

  /** How the limits are asked. */
  public enum Kind {
    /** All or nothing, and all have room. */
    PASSING("batch that passes"),
    /** All or nothing, and the last one is exhausted. */
    HOPELESS("batch with one exhausted limit"),
    /**
     * One after the other, with all having room. Not the same thing: what was taken stays taken.
     */
    SINGLES("as many single requests");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  @Param
  public Kind kind;

  @Param({"2", "5", "10"})
  public int size;

  private final RateLimiter limiter = RateLimiter.inMemory();
  private List<LimitRequest> requests;

  @Setup
  public void prepare() {
    requests = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Quota quota = kind == Kind.HOPELESS && i == size - 1 ? Quota.SCANT : Quota.AMPLE;
      requests.add(LimitRequest.of(
          "acme",
          "limit-" + i,
          Identifiers.identifier(i),
          Limit.of(quota.tokens(), quota.window())));
    }
    requests = List.copyOf(requests);
    if (kind == Kind.HOPELESS) {
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
    if (decide() == (kind == Kind.HOPELESS)) {
      throw new IllegalStateException(
          "a batch of " + size + " gave the wrong answer, being " + kind);
    }
  }
}
