package io.tidegate.benchmarks.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.Quota;
import io.tidegate.benchmarks.local.Competitor.Limiter;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Competitors must limit; otherwise comparing them is pointless. */
class CompetitorTest {

  private static final int TRIES = 10_000;

  @ParameterizedTest
  @EnumSource
  void allowsWhatIsAmple(Competitor competitor) {
    assertThat(allowed(competitor, Quota.AMPLE)).isEqualTo(TRIES);
  }

  /** At most the quota: Guava's limiter stores permits of one second only. */
  @ParameterizedTest
  @EnumSource
  void deniesWhatIsUsedUp(Competitor competitor) {
    assertThat(allowed(competitor, Quota.SCANT)).isLessThanOrEqualTo((int) Quota.SCANT.tokens());
  }

  @ParameterizedTest
  @EnumSource
  void limitsEveryIdentifierByItself(Competitor competitor) {
    Quota one = new Quota(1, Duration.ofHours(1));
    String[] arrivals = {Identifiers.identifier(1), Identifiers.identifier(2)};
    Limiter limiter = competitor.create.apply(arrivals, one);
    assertThat(limiter.allow().test(0)).isTrue();
    assertThat(limiter.allow().test(0)).isFalse();
    assertThat(limiter.allow().test(1)).isTrue();
  }

  private static int allowed(Competitor competitor, Quota quota) {
    Limiter limiter = competitor.create.apply(Identifiers.single(), quota);
    limiter.meet().accept(Identifiers.identifier(0));
    int allowed = 0;
    for (int i = 0; i < TRIES; i++) {
      allowed += limiter.allow().test(0) ? 1 : 0;
    }
    return allowed;
  }
}
