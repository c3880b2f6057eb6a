package io.tidegate.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IdentifiersTest {

  private static final int KEYS = 100_000;

  @Test
  void have24CharactersAndAreAllDifferent() {
    assertThat(IntStream.range(0, KEYS).mapToObj(Identifiers::identifier).distinct())
        .hasSize(KEYS)
        .allMatch(identifier -> identifier.length() == 24);
  }

  @Test
  void areNewObjectsEachTime() {
    assertThat(Identifiers.identifier(7))
        .isEqualTo(Identifiers.identifier(7))
        .isNotSameAs(Identifiers.identifier(7));
    String[] arrivals = Identifiers.single();
    assertThat(arrivals[0]).isEqualTo(arrivals[1]).isNotSameAs(arrivals[1]);
  }

  @Test
  void arriveInNumbersThatAreAPowerOfTwo() {
    assertThat(Stream.of(Identifiers.single(), Identifiers.uniform(1_000), Identifiers.zipf(1_000)))
        .allMatch(arrivals -> Integer.bitCount(arrivals.length) == 1);
  }

  @Test
  void everyRankHasANumberOfItsOwn() {
    assertThat(IntStream.range(0, KEYS)
            .map(rank -> Identifiers.numberOfRank(rank, KEYS))
            .distinct())
        .hasSize(KEYS)
        .allMatch(number -> number >= 0 && number < KEYS);
  }

  @Test
  void zipfGivesARankItsShare() {
    int draws = 1 << 20;
    int[] numbers = Identifiers.zipfNumbers(KEYS, draws);
    double harmonic = IntStream.rangeClosed(1, KEYS)
        .mapToDouble(rank -> Math.pow(rank, -Identifiers.ZIPF_EXPONENT))
        .sum();
    for (int rank : new int[] {1, 2, 10}) {
      int number = Identifiers.numberOfRank(rank - 1, KEYS);
      double share =
          (double) Arrays.stream(numbers).filter(drawn -> drawn == number).count() / draws;
      double expected = Math.pow(rank, -Identifiers.ZIPF_EXPONENT) / harmonic;
      assertThat(share).as("share of rank %d", rank).isCloseTo(expected, within(expected * 0.05));
    }
  }
}
