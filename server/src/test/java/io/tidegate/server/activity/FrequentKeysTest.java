package io.tidegate.server.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.activity.FrequentKeys.Frequent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrequentKeysTest {

  @Test
  void countsAreExactWhileAllKeysFit() {
    FrequentKeys<String> keys = new FrequentKeys<>(2);
    keys.add("a", "first", 3);
    keys.add("b", "first", 5);
    keys.add("a", "last", 4);
    assertThat(keys.all())
        .containsExactly(new Frequent<>("a", "last", 7, 0), new Frequent<>("b", "first", 5, 0));
  }

  @Test
  void newKeyReplacesTheLeastFrequentAndInheritsItsCount() {
    FrequentKeys<String> keys = new FrequentKeys<>(2);
    keys.add("a", "", 3);
    keys.add("b", "", 5);
    keys.add("c", "", 1);
    assertThat(keys.all())
        .containsExactly(new Frequent<>("b", "", 5, 0), new Frequent<>("c", "", 4, 3));
  }

  /** The guarantees of the class comment, for random streams of random skew. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void boundsHold(long seed) {
    Random random = new Random(seed);
    int capacity = 1 + random.nextInt(40);
    int distinct = 1 + random.nextInt(400);
    double skew = random.nextDouble() * 3;
    FrequentKeys<Integer> keys = new FrequentKeys<>(capacity);
    Map<String, Long> truth = new HashMap<>();
    long sum = 0;
    for (int i = 0; i < 20_000; i++) {
      String key = "k" + (int) (distinct * Math.pow(random.nextDouble(), 1 + skew));
      long weight = 1L + random.nextInt(3);
      keys.add(key, i, weight);
      truth.merge(key, weight, Long::sum);
      sum += weight;
    }
    List<Frequent<Integer>> all = keys.all();
    assertThat(all).hasSizeLessThanOrEqualTo(capacity);
    long bound = sum / capacity;
    for (Frequent<Integer> one : all) {
      assertThat(one.error()).isLessThanOrEqualTo(bound);
      assertThat(truth.get(one.key())).isBetween(one.count() - one.error(), one.count());
    }
    truth.forEach((key, count) -> {
      if (count > bound) {
        assertThat(all).extracting(Frequent::key).contains(key);
      }
    });
  }
}
