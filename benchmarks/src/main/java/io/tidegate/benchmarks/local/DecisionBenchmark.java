package io.tidegate.benchmarks;

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
import org.openjdk.jmh.infra.ThreadParams;

/** One decision of one competitor. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DecisionBenchmark {

  @Param
  public Competitor competitor;

  @Param
  public Scenario scenario;

  @Param("1000000")
  public int keys;

  private Limiter limiter;
  private int lastPosition;

  @Setup
  public void meetAll() {
    String[] arrivals = scenario.arrivals(keys);
    lastPosition = arrivals.length - 1;
    limiter = competitor.create(arrivals, scenario.quota());
    for (int number = 0; number < scenario.knownKeys(keys); number++) {
      limiter.meet(Identifiers.identifier(number));
    }
    while (scenario.isDenied() && limiter.allow(0)) {
      // until nothing is left
    }
    System.gc(); // as after some time: the known identifiers are old, and nobody pays for their
    // getting so
  }

  @Benchmark
  public boolean decide(Caller caller) {
    return limiter.allow(caller.arrived++ & lastPosition);
  }

  /** A limiter that answered otherwise than the scenario says was measured doing something else. */
  @TearDown
  public void checkAnswer() {
    if (limiter.allow(0) == scenario.isDenied()) {
      throw new IllegalStateException(
          competitor + " gave the wrong answer in the scenario " + scenario);
    }
  }

  /** One thread's place in the order of arrival. */
  @State(Scope.Thread)
  public static class Caller {

    private int arrived;

    /**
     * Far from each other: two threads in step would find in the cache what the other has just
     * fetched.
     */
    @Setup
    public void start(DecisionBenchmark benchmark, ThreadParams threads) {
      int arrivals = benchmark.lastPosition + 1;
      arrived = arrivals / threads.getThreadCount() * threads.getThreadIndex();
    }
  }
}
