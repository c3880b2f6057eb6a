package io.tidegate.simulator.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelRunsTest {

  private static final int TASKS = 20;

  /** Later tasks take less time, so that they finish first where threads allow it. */
  private static long work(int task) {
    return LongStream.range(0, 100_000L * (TASKS - task))
        .filter(i -> i % 7 == 0)
        .count();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void theNumberOfThreadsDoesNotChangeTheOrderOfResults(int threads) throws InterruptedException {
    List<Long> results = new ArrayList<>();
    ParallelRuns.run(
        threads,
        IntStream.range(0, TASKS).iterator(),
        ParallelRunsTest::work,
        (task, result) -> results.add(result));
    assertThat(results)
        .isEqualTo(IntStream.range(0, TASKS).mapToObj(ParallelRunsTest::work).toList());
  }

  @Test
  void endsWhenTheConsumerHasEnough() throws InterruptedException {
    List<Integer> consumed = new ArrayList<>();
    ParallelRuns.run(
        2, IntStream.range(0, TASKS).iterator(), ParallelRunsTest::work, (task, result) -> {
          consumed.add(task);
          return task < 4;
        });
    assertThat(consumed).containsExactly(0, 1, 2, 3, 4);
  }
}
