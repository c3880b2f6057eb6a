package io.tidegate.testing.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PropertyTest {

  @AfterEach
  void clear() {
    System.clearProperty(Property.SELECTED);
  }

  @Test
  void everyTryHasAnotherInput() {
    Set<Long> seen = new HashSet<>();
    Property.check(100, random -> seen.add(random.nextLong()));
    assertThat(seen).hasSize(100);
  }

  @Test
  void triesGrowToTheFullSize() {
    List<Integer> longest = new ArrayList<>();
    Property.check(1_000, random -> longest.add(random.length(0, 10)));
    assertThat(longest.subList(0, 10)).containsOnly(0);
    assertThat(longest).contains(10);
  }

  @Test
  void failureIsReportedWithTheSmallestSizeThatFails() {
    AssertionError failure = catchThrowableOfType(
        AssertionError.class,
        () -> Property.check(
            1_000, random -> assertThat(random.list(0, 100, () -> 1)).hasSizeLessThan(5)));
    assertThat(failure).hasMessageContaining("-D" + Property.SELECTED + "=");
    String size = failure.getMessage().replaceFirst("(?s).*=-?\\d+/(\\d+):.*", "$1");
    assertThat(Integer.parseInt(size)).isBetween(5, 50);
  }

  @Test
  void selectedTryIsRepeatedAlone() {
    List<Long> first = new ArrayList<>();
    System.setProperty(Property.SELECTED, "4711/50");
    Property.check(100, random -> first.add(random.nextLong()));
    Property.check(100, random -> first.add(random.nextLong()));
    assertThat(first).hasSize(2).containsOnly(first.get(0));
  }

  @Test
  void failureOfTheTestIsTheCause() {
    IllegalStateException broken = new IllegalStateException("broken");
    assertThatThrownBy(() -> Property.check(1, random -> {
          throw broken;
        }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("broken")
        .hasCause(broken);
  }

  @Test
  void testThatDependsOnMoreThanItsInputIsReported() {
    int[] runs = {0};
    assertThatThrownBy(() -> Property.check(1, random -> assertThat(++runs[0]).isNotEqualTo(1)))
        .hasMessageContaining("takes randomness from elsewhere");
  }

  @Test
  void numbersReachBothEnds() {
    Generator random = new Generator(1, 100);
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      seen.add(random.between(-1, 1));
    }
    assertThat(seen).containsExactlyInAnyOrder(-1L, 0L, 1L);
    assertThat(random.between(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void numbersOfAnyMagnitudeStayInTheirRange() {
    Generator random = new Generator(1, 100);
    int small = 0;
    for (int i = 0; i < 1_000; i++) {
      long number = random.ofAnyMagnitude(1_000_000_000_000L);
      assertThat(number).isBetween(0L, 1_000_000_000_000L);
      small += number < 1_000 ? 1 : 0;
    }
    assertThat(small).isBetween(150, 400);
    assertThat(random.ofAnyMagnitude(0)).isZero();
  }
}
