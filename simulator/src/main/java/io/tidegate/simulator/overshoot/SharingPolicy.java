package io.tidegate.simulator.overshoot;

import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What regions tell each other, and how often.
 *
 * @param family what policies have in common that differ in their pace
 * @param pace how it differs from others of its family
 * @param push what is told of counts
 * @param tells whether it is counts that are told, or only that something was denied
 */
record SharingPolicy(String family, String pace, PushPolicy push, boolean tells)
    implements Approach {

  /** Publishes windows of any length: slow paces are compared on windows of a minute too. */
  SharingPolicy {
    push = push.withShortestWindow(Duration.ZERO);
  }

  static final SharingPolicy BLOCKLIST = blocklist(Duration.ofSeconds(10));
  static final SharingPolicy FLOOR = floor(0.5, Duration.ofSeconds(10));
  static final SharingPolicy REMOTE_AWARE = remoteAware(0.2, Duration.ofSeconds(5));
  static final SharingPolicy ADAPTIVE_SLOW = adaptive(Duration.ofSeconds(5));
  static final SharingPolicy ADAPTIVE = adaptive(Duration.ofSeconds(1));

  /** Those that are compared with each other. */
  static final List<SharingPolicy> ALL =
      List.of(BLOCKLIST, FLOOR, REMOTE_AWARE, ADAPTIVE_SLOW, ADAPTIVE);

  static final List<SharingPolicy> QUICK = List.of(BLOCKLIST, FLOOR, REMOTE_AWARE, ADAPTIVE);

  private static final List<Duration> SLOW_PACES = List.of(
      Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(2), Duration.ofSeconds(1));

  private static final List<Duration> PACES =
      Stream.concat(SLOW_PACES.stream(), Stream.of(Duration.ofMillis(500))).toList();

  /** Each of them at different paces, slowest first. */
  static List<SharingPolicy> curves() {
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
    return new SharingPolicy("blocklist", pace(interval), new Silent(interval), false);
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

  /** As {@link #adaptive} was before the simulation showed how to do with fewer rows. */
  static SharingPolicy toTheToken(Duration interval) {
    return new SharingPolicy(
        "adaptive to the token",
        pace(interval),
        new ToTheToken(PushPolicy.adaptive(interval)),
        true);
  }

  private static String pace(Duration interval) {
    return String.format(
        Locale.ROOT,
        "%s s",
        interval.toMillis() % 1_000 == 0
            ? interval.toSeconds()
            : String.valueOf(interval.toMillis() / 1e3));
  }

  @Override
  public String label() {
    return family + ", " + pace;
  }

  /** Its name on the command line: {@code floor-0.5-10s}. */
  String option() {
    return (family + " " + pace.replace(" ", "")).replace(' ', '-');
  }

  @Override
  public TrialResult run(OvershootSettings settings, TrafficPattern traffic, double load) {
    return new OvershootTrial(settings, traffic, load, this).run();
  }

  /** Pulls, and tells nothing. */
  private record Silent(Duration interval) implements PushPolicy {

    @Override
    public boolean isWorthPushing(CellUse use) {
      return false;
    }
  }

  /** A floor, below which all is told of series that another region uses too. */
  private record RemoteAware(PushPolicy floor) implements PushPolicy {

    @Override
    public Duration interval() {
      return floor.interval();
    }

    @Override
    public boolean isWorthPushing(CellUse use) {
      return use.usedElsewhere() && use.unpushed() > 0 || floor.isWorthPushing(use);
    }
  }

  /** Tells each token of a series that others use too and of which nothing is left. */
  private record ToTheToken(PushPolicy adaptive) implements PushPolicy {

    @Override
    public Duration interval() {
      return adaptive.interval();
    }

    @Override
    public boolean isWorthPushing(CellUse use) {
      return adaptive.isWorthPushing(use)
          || use.usedElsewhere()
              && use.unpushed() >= Math.max(1, use.headroom() / (2L * use.regions()));
    }
  }
}
