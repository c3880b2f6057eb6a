package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/**
 * The arithmetic against big integers, over all that the bounds allow and counts up to the end of a
 * long.
 */
class SlidingWindowTest {

  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  @Property(tries = 20_000)
  void weightIsTheExactFloor(
      @ForAll("counts") long previous,
      @ForAll("windows") long window,
      @ForAll("fractions") double fraction) {
    long overlap = (long) (window * fraction);
    assertThat(SlidingWindow.weighted(previous, overlap, window))
        .isEqualTo(weightedExactly(previous, overlap, window));
  }

  @Property(tries = 20_000)
  void effectiveCountSaturatesAndIsNeverNegative(
      @ForAll("counts") long current,
      @ForAll("counts") long weighted,
      @ForAll("tokens") long cost) {
    BigInteger exact =
        BigInteger.valueOf(current).add(BigInteger.valueOf(weighted)).add(BigInteger.valueOf(cost));
    assertThat(SlidingWindow.effective(current, weighted, cost))
        .isEqualTo(exact.min(MAX).longValue())
        .isNotNegative();
  }

  @Property
  void effectiveCountGrowsWithEachCount(
      @ForAll("cells") Cells cells, @ForAll("tokens") long cost, @ForAll("fractions") double at) {
    long now = within(cells, at);
    long effective = cells.effective(cost, now);
    Cells more = new Cells(
        cells.startMillis(), cells.windowMillis(), plusOne(cells.current()), cells.previous());
    Cells moreBefore = new Cells(
        cells.startMillis(), cells.windowMillis(), cells.current(), plusOne(cells.previous()));
    assertThat(more.effective(cost, now)).isGreaterThanOrEqualTo(effective);
    assertThat(moreBefore.effective(cost, now)).isGreaterThanOrEqualTo(effective);
    assertThat(cells.effective(cost + 1, now)).isGreaterThanOrEqualTo(effective);
  }

  @Property
  void effectiveCountFallsWithTimeInsideACell(
      @ForAll("cells") Cells cells,
      @ForAll("fractions") double at,
      @ForAll("fractions") double later) {
    long one = within(cells, Math.min(at, later));
    long other = within(cells, Math.max(at, later));
    assertThat(cells.effective(1, other)).isLessThanOrEqualTo(cells.effective(1, one));
  }

  @Property(tries = 20_000)
  void whatIsAllowedAndWhatRemainsMakeTheLimit(
      @ForAll("cells") Cells cells,
      @ForAll("tokens") long limit,
      @ForAll("tokens") long cost,
      @ForAll("fractions") double at) {
    Decision decision = cells.decide(limit, cost, within(cells, at));
    if (decision.allowed()) {
      assertThat(decision.remaining() + decision.effectiveCount()).isEqualTo(limit);
      assertThat(decision.remaining()).isNotNegative();
    } else {
      assertThat(decision.remaining()).isZero();
      assertThat(limit == 0 || decision.effectiveCount() > limit).isTrue();
    }
  }

  /**
   * The cells that a denied request would meet later, if nothing else came, must admit it at the
   * time told and not before.
   */
  @Property(tries = 50_000)
  void retryAfterIsExactToTheMillisecond(
      @ForAll("cells") Cells cells,
      @ForAll("tokens") long limit,
      @ForAll("tokens") long cost,
      @ForAll("fractions") double at) {
    long now = within(cells, at);
    Decision decision = cells.decide(limit, cost, now);
    Assume.that(!decision.allowed());
    if (limit == 0 || cost > limit) {
      assertThat(decision.retryAfterMillis()).isEqualTo(Decision.NEVER);
      assertThat(decision.retryAfter()).isEmpty();
      return;
    }
    long then = now + decision.retryAfterMillis();
    assertThat(then).isGreaterThan(now);
    assertThat(laterOf(cells, then).decide(limit, cost, then).allowed()).isTrue();
    assertThat(laterOf(cells, then - 1).decide(limit, cost, then - 1).allowed()).isFalse();
  }

  @Property
  void aTimeBeforeTheCellCountsAsItsStart(
      @ForAll("cells") Cells cells,
      @ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long early) {
    long start = cells.startMillis();
    assertThat(cells.effective(1, start - early)).isEqualTo(cells.effective(1, start));
    Decision late = cells.decide(5, 1, start - early);
    Decision onTime = cells.decide(5, 1, start);
    assertThat(late.allowed()).isEqualTo(onTime.allowed());
    assertThat(late.resetAtMillis()).isEqualTo(onTime.resetAtMillis());
    if (!late.allowed()) {
      assertThat(late.retryAfterMillis()).isEqualTo(onTime.retryAfterMillis() + early);
    }
  }

  @Property
  void aCellHoldsItsTimes(
      @ForAll @LongRange(min = -Bounds.MAX_TIME_MILLIS, max = Bounds.MAX_TIME_MILLIS) long now,
      @ForAll("windows") long window) {
    long start = SlidingWindow.cellStart(now, window);
    assertThat(start).isLessThanOrEqualTo(now).isGreaterThan(now - window);
    assertThat(Math.floorMod(start, window)).isZero();
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

  @Provide
  Arbitrary<Double> fractions() {
    return Arbitraries.oneOf(Arbitraries.of(0.0, 1.0), Arbitraries.doubles().between(0, 1));
  }

  /**
   * Small ones, where rounding shows; those around the greatest limit; the ends; and all the
   * others.
   */
  @Provide
  Arbitrary<Long> counts() {
    return Arbitraries.oneOf(
        Arbitraries.of(0L, 1L, Bounds.MAX_TOKENS, Long.MAX_VALUE - 1, Long.MAX_VALUE),
        Arbitraries.longs().between(0, 100),
        Arbitraries.longs().between(0, 2 * Bounds.MAX_TOKENS),
        Arbitraries.longs().between(0, Long.MAX_VALUE));
  }

  @Provide
  Arbitrary<Long> tokens() {
    return Arbitraries.oneOf(
        Arbitraries.of(0L, 1L, Bounds.MAX_TOKENS),
        Arbitraries.longs().between(0, 100),
        Arbitraries.longs().between(0, Bounds.MAX_TOKENS));
  }

  @Provide
  Arbitrary<Long> windows() {
    return Arbitraries.oneOf(
        Arbitraries.of(
            Bounds.MIN_WINDOW_MILLIS, 60_000L, 3_600_000L, 86_400_000L, Bounds.MAX_WINDOW_MILLIS),
        Arbitraries.longs().between(Bounds.MIN_WINDOW_MILLIS, Bounds.MAX_WINDOW_MILLIS));
  }

  @Provide
  Arbitrary<Cells> cells() {
    Arbitrary<Long> times =
        Arbitraries.longs().between(-Bounds.MAX_TIME_MILLIS, Bounds.MAX_TIME_MILLIS);
    return Combinators.combine(times, windows(), counts(), counts())
        .as((time, window, current, previous) ->
            new Cells(SlidingWindow.cellStart(time, window), window, current, previous));
  }
}
