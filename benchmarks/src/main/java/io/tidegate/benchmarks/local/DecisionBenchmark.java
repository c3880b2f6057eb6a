package io.tidegate.benchmarks.local;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.local.Competitor.Limiter;
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
  @SuppressWarnings("NullAway.Init") // set by JMH
  public Competitor competitor;

  @Param
  @SuppressWarnings("NullAway.Init") // set by JMH
  public Scenario scenario;

  @Param("1000000")
  public int keys;

  @SuppressWarnings("NullAway.Init") // set by meetAll
  private Limiter limiter;

  private int lastPosition;

  @Setup
  public void meetAll() {
    String[] arrivals = scenario.arrivals(keys);
    lastPosition = arrivals.length - 1;
    limiter = competitor.create.apply(arrivals, scenario.quota());
    for (int number = 0; number < (scenario.hasManyKeys() ? keys : 1); number++) {
      limiter.meet().accept(Identifiers.identifier(number));
    }
    while (scenario == Scenario.DENIED && limiter.allow().test(0)) {
      // use up the quota
    }
    System.gc(); // moves the stored identifiers to the old generation before the measurement
  }

  @Benchmark
  public boolean decide(Caller caller) {
    return limiter.allow().test(caller.arrived++ & lastPosition);
  }

  /** Fails the run if the limiter did not behave as the scenario expects. */
  @TearDown
  public void checkAnswer() {
    if (limiter.allow().test(0) == (scenario == Scenario.DENIED)) {
      throw new IllegalStateException(
          competitor + " gave the wrong answer in the scenario " + scenario);
    }
  }

  /** Position of one thread in the order of arrival. */
  @State(Scope.Thread)
  public static class Caller {

    private int arrived;

    /** Starts threads far apart, so that none finds in the cache what another has just fetched. */
    @Setup
    public void start(DecisionBenchmark benchmark, ThreadParams threads) {
      int arrivals = benchmark.lastPosition + 1;
      arrived = arrivals / threads.getThreadCount() * threads.getThreadIndex();
    }
  }
}
