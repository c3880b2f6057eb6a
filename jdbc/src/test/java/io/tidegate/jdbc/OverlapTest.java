package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OverlapTest {

  private final Overlap overlap = new Overlap();

  private void statementTook(long millis) {
    overlap.statementTook(Duration.ofMillis(millis).toNanos());
  }

  private void roundTripTook(long millis) {
    overlap.roundTripTook(Duration.ofMillis(millis).toNanos());
  }

  @Test
  void isTheMinimumWhileStatementsAreFast() {
    assertThat(overlap.nextMillis()).isEqualTo(100);
    statementTook(40);
    assertThat(overlap.nextMillis()).isEqualTo(100);
  }

  @Test
  void isTwiceTheLongestStatement() {
    statementTook(300);
    statementTook(20);
    assertThat(overlap.nextMillis()).isEqualTo(600);
  }

  /** A statement takes 310 ms from a continent that is 300 ms away, and 10 ms in the database. */
  @Test
  void networkDoesNotCount() {
    roundTripTook(300);
    statementTook(310);
    assertThat(overlap.nextMillis()).isEqualTo(100);
    statementTook(500);
    assertThat(overlap.nextMillis()).isEqualTo(400);
  }

  /** A busy database delays the short query that measures the round trip, too. */
  @Test
  void roundTripIsTheShortestOfRecentOnes() {
    roundTripTook(10);
    roundTripTook(500);
    statementTook(1_010);
    assertThat(overlap.nextMillis()).isBetween(1_990L, 2_000L);
  }

  @Test
  void roundTripRisesAfterAMoveToAServerFurtherAway() {
    roundTripTook(10);
    for (int pull = 0; pull < 120; pull++) { // 30 s
      roundTripTook(200);
    }
    statementTook(400);
    assertThat(overlap.nextMillis()).isEqualTo(400);
  }

  @Test
  void isBoundedWhileStatementsTimeOut() {
    statementTook(9_000);
    assertThat(overlap.nextMillis()).isEqualTo(10_000);
  }

  /** Statements of other nodes may still be slow. */
  @Test
  void shrinksSlowlyWhenStatementsAreFastAgain() {
    statementTook(2_000);
    for (int pull = 0; pull < 20; pull++) { // 5 s
      overlap.nextMillis();
    }
    assertThat(overlap.nextMillis()).isBetween(2_000L, 2_300L);
    for (int pull = 0; pull < 120; pull++) { // 30 s
      overlap.nextMillis();
    }
    assertThat(overlap.nextMillis()).isEqualTo(100);
  }

  @Test
  void statementFasterThanTheRoundTripLeavesTheMinimum() {
    roundTripTook(50);
    statementTook(10);
    assertThat(overlap.nextMillis()).isEqualTo(100);
  }
}
