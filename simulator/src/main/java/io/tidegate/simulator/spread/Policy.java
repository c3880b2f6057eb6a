package io.tidegate.simulator.spread;

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
record Policy(String family, String pace, PushPolicy push, boolean tells) implements Contender {

  /** Publishes windows of any length: slow paces are compared on windows of a minute too. */
  Policy {
    push = push.withShortestWindow(Duration.ZERO);
  }

  static final Policy BLOCKLIST = blocklist(Duration.ofSeconds(10));
  static final Policy FLOOR = floor(0.5, Duration.ofSeconds(10));
  static final Policy REMOTE_AWARE = remoteAware(0.2, Duration.ofSeconds(5));
  static final Policy ADAPTIVE_SLOW = adaptive(Duration.ofSeconds(5));
  static final Policy ADAPTIVE = adaptive(Duration.ofSeconds(1));

  /** Those that are compared with each other. */
  static final List<Policy> ALL = List.of(BLOCKLIST, FLOOR, REMOTE_AWARE, ADAPTIVE_SLOW, ADAPTIVE);

  static final List<Policy> QUICK = List.of(BLOCKLIST, FLOOR, REMOTE_AWARE, ADAPTIVE);

  private static final List<Duration> SLOW_PACES = List.of(
      Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(2), Duration.ofSeconds(1));

  private static final List<Duration> PACES =
      Stream.concat(SLOW_PACES.stream(), Stream.of(Duration.ofMillis(500))).toList();

  /** Each of them at different paces, slowest first. */
  static List<Policy> curves() {
    return Stream.of(
            SLOW_PACES.stream().map(Policy::blocklist),
            SLOW_PACES.stream().map(pace -> floor(0.5, pace)),
            SLOW_PACES.stream().map(pace -> remoteAware(0.2, pace)),
            PACES.stream().map(Policy::toTheToken),
            PACES.stream().map(Policy::adaptive))
        .flatMap(family -> family)
        .toList();
  }

  static Policy blocklist(Duration interval) {
    return new Policy("blocklist", pace(interval), new Silent(interval), false);
  }

  static Policy floor(double fraction, Duration interval) {
    return new Policy(
        "floor " + fraction, pace(interval), PushPolicy.floor(fraction, interval), true);
  }

  static Policy remoteAware(double fraction, Duration interval) {
    return new Policy(
        "floor " + fraction + " remote-aware",
        pace(interval),
        new RemoteAware(PushPolicy.floor(fraction, interval)),
        true);
  }

  static Policy adaptive(Duration interval) {
    return new Policy("adaptive", pace(interval), PushPolicy.adaptive(interval), true);
  }

  /** As {@link #adaptive} was before the simulation showed how to do with fewer rows. */
  static Policy toTheToken(Duration interval) {
    return new Policy(
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
  public Outcome run(Settings settings, Traffic traffic, double load) {
    return new Trial(settings, traffic, load, this).run();
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
