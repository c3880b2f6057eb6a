package io.tidegate.simulator.common;

import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What regions share with each other, and how often.
 *
 * @param family name of the policy without its interval
 * @param pace the interval as text
 * @param push policy of the limiter
 * @param sharesCounts whether regions share counts; otherwise they share denials only
 */
public record SharingPolicy(String family, String pace, PushPolicy push, boolean sharesCounts)
    implements Approach {

  /** Pushes windows of any length, so that slow policies can be compared on short windows. */
  public SharingPolicy {
    push = push.withShortestWindow(Duration.ZERO);
  }

  public static final SharingPolicy BLOCKLIST = blocklist(Duration.ofSeconds(10));

  /** The policy of the reference design. */
  public static final SharingPolicy FLOOR = floor(0.5, Duration.ofSeconds(10));

  public static final SharingPolicy REMOTE_AWARE = remoteAware(0.2, Duration.ofSeconds(5));
  public static final SharingPolicy ADAPTIVE_SLOW = adaptive(Duration.ofSeconds(5));
  public static final SharingPolicy ADAPTIVE = adaptive(Duration.ofSeconds(1));

  /** The policies that are compared with each other. */
  public static final List<SharingPolicy> ALL =
      List.of(BLOCKLIST, FLOOR, REMOTE_AWARE, ADAPTIVE_SLOW, ADAPTIVE);

  private static final List<Duration> SLOW_PACES = List.of(
      Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(2), Duration.ofSeconds(1));

  private static final List<Duration> PACES =
      Stream.concat(SLOW_PACES.stream(), Stream.of(Duration.ofMillis(500))).toList();

  /** All families at several intervals, slowest first. */
  public static List<SharingPolicy> curves() {
    return Stream.of(
            SLOW_PACES.stream().map(SharingPolicy::blocklist),
            SLOW_PACES.stream().map(pace -> floor(0.5, pace)),
            SLOW_PACES.stream().map(pace -> remoteAware(0.2, pace)),
            PACES.stream().map(SharingPolicy::toTheToken),
            PACES.stream().map(SharingPolicy::adaptive))
        .flatMap(family -> family)
        .toList();
  }

  static SharingPolicy blocklist(Duration interval) {
    return new SharingPolicy("blocklist", pace(interval), new PullOnly(interval), false);
  }

  static SharingPolicy floor(double fraction, Duration interval) {
    return new SharingPolicy(
        "floor " + fraction, pace(interval), PushPolicy.floor(fraction, interval), true);
  }

  static SharingPolicy remoteAware(double fraction, Duration interval) {
    return new SharingPolicy(
        "floor " + fraction + " remote-aware",
        pace(interval),
        new RemoteAware(PushPolicy.floor(fraction, interval)),
        true);
  }

  static SharingPolicy adaptive(Duration interval) {
    return new SharingPolicy("adaptive", pace(interval), PushPolicy.adaptive(interval), true);
  }

  /** An earlier version of {@link #adaptive}, which wrote more rows for the same overshoot. */
  public static SharingPolicy toTheToken(Duration interval) {
    return new SharingPolicy(
        "adaptive to the token",
        pace(interval),
        new ToTheToken(PushPolicy.adaptive(interval)),
        true);
  }

  private static String pace(Duration interval) {
    long millis = interval.toMillis();
    return String.format(
        Locale.ROOT, "%s s", millis % 1_000 == 0 ? millis / 1_000 : String.valueOf(millis / 1e3));
  }

  @Override
  public String label() {
    return family + ", " + pace;
  }

  /** The name on the command line: {@code floor-0.5-10s}. */
  public String option() {
    return (family + " " + pace.replace(" ", "")).replace(' ', '-');
  }

  /** Pulls, but pushes nothing. */
  private record PullOnly(Duration interval) implements PushPolicy {

    @Override
    public boolean isWorthPushing(CellUse use) {
      return false;
    }
  }

  /** A floor that does not apply to series that another region uses as well. */
  private record RemoteAware(PushPolicy floor) implements PushPolicy {

    @Override
    public Duration interval() {
      return floor.interval();
    }

    @Override
    public boolean isWorthPushing(CellUse use) {
      return (use.usedElsewhere() && use.unpushed() > 0) || floor.isWorthPushing(use);
    }
  }

  /** Pushes every token of a series that is used elsewhere and has no headroom left. */
  private record ToTheToken(PushPolicy adaptive) implements PushPolicy {

    @Override
    public Duration interval() {
      return adaptive.interval();
    }

    @Override
    public boolean isWorthPushing(CellUse use) {
      return adaptive.isWorthPushing(use)
          || (use.usedElsewhere()
              && use.unpushed() >= Math.max(1, use.headroom() / (2L * use.regions())));
    }
  }
}
