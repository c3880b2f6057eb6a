package io.tidegate.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleHealthTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.ofEpochMilli(1_000));
  private final Health health = new Health(time);
  private final RuleHealth rules = health.rules();

  @Test
  void nodeWithoutRuleFilesHasNoRules() {
    assertThat(rules.rules()).isZero();
    assertThat(rules.secondsSinceLoad()).isNaN();
    assertThat(rules.isRejected()).isFalse();
  }

  @Test
  void errorsKeepTheNodeReadyAndDegradeItUntilTheNextLoad() {
    health.catalogRead(1);
    rules.loaded(1, 7);
    assertThat(health.status()).isEqualTo("ok");
    time.advance(Duration.ofSeconds(5));
    rules.rejected(List.of("a.yaml:1: one"));
    time.advance(Duration.ofSeconds(2));
    rules.rejected(List.of("a.yaml:1: other"));
    assertThat(health.status()).isEqualTo("degraded");
    assertThat(health.isReady()).isTrue();
    assertThat(rules.rules()).isEqualTo(7);
    assertThat(rules.secondsSinceLoad()).isEqualTo(7);
    assertThat(rules.rejectedSeconds()).isEqualTo(2);
    assertThat(rules.rejected().first()).containsExactly("a.yaml:1: other");
    rules.loaded(1, 8);
    assertThat(health.status()).isEqualTo("ok");
    assertThat(rules.rejectedSeconds()).isZero();
    assertThat(rules.loads()).isEqualTo(2);
    assertThat(rules.rejections()).isEqualTo(2);
  }

  @Test
  void numberOfShownErrorsIsBounded() {
    rules.rejected(Collections.nCopies(1_000, "a.yaml:1: error"));
    assertThat(rules.rejected().first()).hasSize(10);
    assertThat(rules.rejected().count()).isEqualTo(1_000);
  }
}
