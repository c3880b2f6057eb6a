package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/**
 * The arithmetic against big integers, over all that the bounds allow and counts up to the end of a
 * long.
 */
class SlidingWindowTest {

  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  @Test
  void weightIsTheExactFloor() {
    Property.check(20_000, random -> {
      long previous = count(random);
      long window = window(random);
      double fraction = fraction(random);
      long overlap = (long) (window * fraction);
      assertThat(SlidingWindow.weighted(previous, overlap, window))
          .isEqualTo(weightedExactly(previous, overlap, window));
    });
  }

  @Test
  void effectiveCountSaturatesAndIsNeverNegative() {
    Property.check(20_000, random -> {
      long current = count(random);
      long weighted = count(random);
      long cost = tokens(random);
      BigInteger exact = BigInteger.valueOf(current)
          .add(BigInteger.valueOf(weighted))
          .add(BigInteger.valueOf(cost));
      assertThat(SlidingWindow.effective(current, weighted, cost))
          .isEqualTo(exact.min(MAX).longValue())
          .isNotNegative();
    });
  }

  @Test
  void effectiveCountGrowsWithEachCount() {
    Property.check(1_000, random -> {
      Cells cells = cells(random);
      long cost = tokens(random);
      double at = fraction(random);
      long now = within(cells, at);
      long effective = cells.effective(cost, now);
      Cells more = new Cells(
          cells.startMillis(), cells.windowMillis(), plusOne(cells.current()), cells.previous());
      Cells moreBefore = new Cells(
          cells.startMillis(), cells.windowMillis(), cells.current(), plusOne(cells.previous()));
      assertThat(more.effective(cost, now)).isGreaterThanOrEqualTo(effective);
      assertThat(moreBefore.effective(cost, now)).isGreaterThanOrEqualTo(effective);
      assertThat(cells.effective(cost + 1, now)).isGreaterThanOrEqualTo(effective);
    });
  }

  @Test
  void effectiveCountFallsWithTimeInsideACell() {
    Property.check(1_000, random -> {
      Cells cells = cells(random);
      double at = fraction(random);
      double later = fraction(random);
      long one = within(cells, Math.min(at, later));
      long other = within(cells, Math.max(at, later));
      assertThat(cells.effective(1, other)).isLessThanOrEqualTo(cells.effective(1, one));
    });
  }

  @Test
  void whatIsAllowedAndWhatRemainsMakeTheLimit() {
    Property.check(20_000, random -> {
      Cells cells = cells(random);
      long limit = tokens(random);
      long cost = tokens(random);
      double at = fraction(random);
      Decision decision = cells.decide(limit, cost, within(cells, at));
      if (decision.allowed()) {
        assertThat(decision.remaining() + decision.effectiveCount()).isEqualTo(limit);
        assertThat(decision.remaining()).isNotNegative();
      } else {
        assertThat(decision.remaining()).isZero();
        assertThat(limit == 0 || decision.effectiveCount() > limit).isTrue();
      }
    });
  }

  /**
   * The cells that a denied request would meet later, if nothing else came, must admit it at the
   * time told and not before.
   */
  @Test
  void retryAfterIsExactToTheMillisecond() {
    Property.check(50_000, random -> {
      Cells cells = cells(random);
      long limit = tokens(random);
      long cost = tokens(random);
      double at = fraction(random);
      long now = within(cells, at);
      Decision decision = cells.decide(limit, cost, now);
      if (decision.allowed()) {
        return;
      }
      if (limit == 0 || cost > limit) {
        assertThat(decision.retryAfterMillis()).isEqualTo(Decision.NEVER);
        assertThat(decision.retryAfter()).isEmpty();
        return;
      }
      long then = now + decision.retryAfterMillis();
      assertThat(then).isGreaterThan(now);
      assertThat(laterOf(cells, then).decide(limit, cost, then).allowed()).isTrue();
      assertThat(laterOf(cells, then - 1).decide(limit, cost, then - 1).allowed())
          .isFalse();
    });
  }

  @Test
  void aTimeBeforeTheCellCountsAsItsStart() {
    Property.check(1_000, random -> {
      Cells cells = cells(random);
      long early = random.between(1, 1_000_000_000_000L);
      long start = cells.startMillis();
      assertThat(cells.effective(1, start - early)).isEqualTo(cells.effective(1, start));
      Decision late = cells.decide(5, 1, start - early);
      Decision onTime = cells.decide(5, 1, start);
      assertThat(late.allowed()).isEqualTo(onTime.allowed());
      assertThat(late.resetAtMillis()).isEqualTo(onTime.resetAtMillis());
      if (!late.allowed()) {
        assertThat(late.retryAfterMillis()).isEqualTo(onTime.retryAfterMillis() + early);
      }
    });
  }

  @Test
  void aCellHoldsItsTimes() {
    Property.check(1_000, random -> {
      long now = random.between(-Bounds.MAX_TIME_MILLIS, Bounds.MAX_TIME_MILLIS);
      long window = window(random);
      long start = SlidingWindow.cellStart(now, window);
      assertThat(start).isLessThanOrEqualTo(now).isGreaterThan(now - window);
      assertThat(Math.floorMod(start, window)).isZero();
    });
  }

  @Test
  void theLastTimesBefore1970AreInTheCellBefore1970() {
    assertThat(SlidingWindow.cellStart(-1, 60_000)).isEqualTo(-60_000);
    assertThat(SlidingWindow.cellStart(0, 60_000)).isZero();
  }

  /**
   * In floating point 0.1 + 0.2 and their like round down here, and one request too many would
   * pass.
   */
  @Test
  void pointsWhereTheTrueWeightIsAnIntegerAreExact() {
    for (long previous = 1; previous <= 1_000; previous++) {
      for (long overlap = 0; overlap <= 60_000; overlap += 600) {
        assertThat(SlidingWindow.weighted(previous, overlap, 60_000))
            .isEqualTo(previous * overlap / 60_000);
      }
    }
  }

  private static long weightedExactly(long previous, long overlap, long window) {
    return BigInteger.valueOf(previous)
        .multiply(BigInteger.valueOf(overlap))
        .divide(BigInteger.valueOf(window))
        .longValueExact();
  }

  /** The same series at a later time, nothing having been added. */
  private static Cells laterOf(Cells cells, long now) {
    long start = SlidingWindow.cellStart(now, cells.windowMillis());
    if (start <= cells.startMillis()) {
      return cells;
    }
    long previous = start == cells.startMillis() + cells.windowMillis() ? cells.current() : 0;
    return new Cells(start, cells.windowMillis(), 0, previous);
  }

  private static long within(Cells cells, double fraction) {
    return cells.startMillis() + (long) ((cells.windowMillis() - 1) * fraction);
  }

  private static long plusOne(long count) {
    return Math.min(count, Long.MAX_VALUE - 1) + 1;
  }

  private static double fraction(Generator random) {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> 1;
      default -> random.nextDouble();
    };
  }

  /** Small counts, where rounding shows; counts around the highest limit; the ends of a long. */
  private static long count(Generator random) {
    return switch (random.nextInt(5)) {
      case 0 -> random.oneOf(0L, 1L, Bounds.MAX_TOKENS, Long.MAX_VALUE - 1, Long.MAX_VALUE);
      case 1 -> random.between(0, 100);
      case 2 -> random.between(0, 2 * Bounds.MAX_TOKENS);
      case 3 -> random.between(0, Long.MAX_VALUE);
      default -> random.ofAnyMagnitude(Long.MAX_VALUE);
    };
  }

  private static long tokens(Generator random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.oneOf(0L, 1L, Bounds.MAX_TOKENS);
      case 1 -> random.between(0, 100);
      case 2 -> random.between(0, Bounds.MAX_TOKENS);
      default -> random.ofAnyMagnitude(Bounds.MAX_TOKENS);
    };
  }

  private static long window(Generator random) {
    return switch (random.nextInt(3)) {
      case 0 ->
        random.oneOf(
            Bounds.MIN_WINDOW_MILLIS, 60_000L, 3_600_000L, 86_400_000L, Bounds.MAX_WINDOW_MILLIS);
      case 1 -> random.between(Bounds.MIN_WINDOW_MILLIS, Bounds.MAX_WINDOW_MILLIS);
      default ->
        Math.max(Bounds.MIN_WINDOW_MILLIS, random.ofAnyMagnitude(Bounds.MAX_WINDOW_MILLIS));
    };
  }

  private static Cells cells(Generator random) {
    long time = random.between(-Bounds.MAX_TIME_MILLIS, Bounds.MAX_TIME_MILLIS);
    long window = window(random);
    return new Cells(SlidingWindow.cellStart(time, window), window, count(random), count(random));
  }
}
