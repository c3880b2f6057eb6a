package io.tidegate.simulator.common;

import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What regions share with each other, and how often. Policies of a family differ in interval. */
public record SharingPolicy(String family, PushPolicy push, Shared shared) implements Approach {

  public enum Shared {
    COUNTS,
    DENIALS,
    NOTHING
  }

  /** Pushes windows of any length, so that slow policies can be compared on short windows. */
  public SharingPolicy {
    push = push.withShortestWindow(Duration.ZERO);
  }

  @SuppressWarnings("UnnecessaryLambda") // one object, so that equal policies are equal
  private static final Predicate<PushPolicy.CellUse> USED_ELSEWHERE =
      use -> use.usedElsewhere() && use.unpushed() > 0;

  @SuppressWarnings("UnnecessaryLambda") // as above
  private static final Predicate<PushPolicy.CellUse> NO_HEADROOM = use ->
      use.usedElsewhere() && use.unpushed() >= Math.max(1, use.headroom() / (2L * use.regions()));

  public static final SharingPolicy ISOLATED =
      new SharingPolicy("regions that share nothing", new PullOnly(seconds(10)), Shared.NOTHING);

  public static final SharingPolicy BLOCKLIST = blocklist(10);

  /** The policy of the reference design. */
  public static final SharingPolicy FLOOR = floor(10);

  public static final SharingPolicy REMOTE_AWARE = remoteAware(5);
  public static final SharingPolicy ADAPTIVE_SLOW = adaptive(5);

  /** The default of the limiter. */
  public static final SharingPolicy ADAPTIVE = adaptive(0.25);

  /** The policies that are compared with each other. */
  public static final List<SharingPolicy> ALL =
      List.of(BLOCKLIST, FLOOR, REMOTE_AWARE, ADAPTIVE_SLOW, ADAPTIVE);

  private static final List<Double> INTERVALS = List.of(10.0, 5.0, 2.0, 1.0, 0.5, 0.25);

  /** All families at several intervals, slowest first. */
  public static List<SharingPolicy> curves() {
    List<Double> withoutShortest = INTERVALS.subList(0, INTERVALS.indexOf(0.5));
    List<SharingPolicy> curves = new ArrayList<>();
    withoutShortest.forEach(seconds -> curves.add(blocklist(seconds)));
    withoutShortest.forEach(seconds -> curves.add(floor(seconds)));
    withoutShortest.forEach(seconds -> curves.add(remoteAware(seconds)));
    INTERVALS.forEach(seconds -> curves.add(toTheToken(seconds)));
    INTERVALS.forEach(seconds -> curves.add(adaptive(seconds)));
    return curves;
  }

  private static SharingPolicy blocklist(double seconds) {
    return new SharingPolicy("blocklist", new PullOnly(seconds(seconds)), Shared.DENIALS);
  }

  private static SharingPolicy floor(double seconds) {
    return counts("floor 0.5", PushPolicy.floor(0.5, seconds(seconds)));
  }

  /** A floor that does not apply to series that another region uses as well. */
  private static SharingPolicy remoteAware(double seconds) {
    PushPolicy floor = PushPolicy.floor(0.2, seconds(seconds));
    return counts("floor 0.2 remote-aware", new Extended(floor, USED_ELSEWHERE));
  }

  private static SharingPolicy adaptive(double seconds) {
    return counts("adaptive", PushPolicy.adaptive(seconds(seconds)));
  }

  /** An earlier version of {@link #adaptive}, which wrote more rows for the same overshoot. */
  public static SharingPolicy toTheToken(double seconds) {
    PushPolicy adaptive = PushPolicy.adaptive(seconds(seconds));
    return counts("adaptive to the token", new Extended(adaptive, NO_HEADROOM));
  }

  private static SharingPolicy counts(String family, PushPolicy push) {
    return new SharingPolicy(family, push, Shared.COUNTS);
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis((long) (1_000 * seconds));
  }

  public boolean sharesCounts() {
    return shared == Shared.COUNTS;
  }

  /** The interval as text: {@code 10 s}, {@code 0.5 s}. */
  public String pace() {
    long millis = push.interval().toMillis();
    return (millis % 1_000 == 0 ? String.valueOf(millis / 1_000) : millis / 1e3) + " s";
  }

  @Override
  public String label() {
    return shared == Shared.NOTHING ? family : family + ", " + pace();
  }

  /** The name on the command line: {@code floor-0.5-10s}. */
  public String option() {
    return (family + " " + pace().replace(" ", "")).replace(' ', '-');
  }

  /** Pulls, but pushes nothing. */
  private record PullOnly(Duration interval) implements PushPolicy {

    @Override
    public boolean isWorthPushing(CellUse use) {
      return false;
    }
  }

  /** Pushes what another policy pushes, and under one more condition. */
  private record Extended(PushPolicy policy, Predicate<CellUse> also) implements PushPolicy {

    @Override
    public Duration interval() {
      return policy.interval();
    }

    @Override
    public boolean isWorthPushing(CellUse use) {
      return policy.isWorthPushing(use) || also.test(use);
    }
  }
}
