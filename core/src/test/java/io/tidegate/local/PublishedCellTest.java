package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PublishedCellTest {

  private final PublishedCell cell = PublishedCell.NONE.orNew();

  @Test
  void sharedEmptyCellIsReplacedBeforeItIsWritten() {
    assertThat(cell).isNotSameAs(PublishedCell.NONE);
    assertThat(cell.orNew()).isSameAs(cell);
    assertThat(PublishedCell.carrying(0)).isSameAs(PublishedCell.NONE);
  }

  @Test
  void importedIsTheSumOfTheGreatestCountOfEachRegion() {
    assertThat(cell.raise(2, 10)).isEqualTo(10);
    assertThat(cell.raise(1, 5)).isEqualTo(5);
    assertThat(cell.raise(2, 7)).isZero(); // late
    assertThat(cell.raise(2, 12)).isEqualTo(2);
    assertThat(cell.imported()).isEqualTo(17);
  }

  @Test
  void carriedCountIsNoCountOfARegion() {
    PublishedCell carrying = PublishedCell.carrying(9);
    assertThat(carrying.raise(1, 4)).isEqualTo(4);
    assertThat(carrying.imported()).isEqualTo(13);
  }

  @Test
  void importedIsTheGreaterOfTheSumOfThisNodeAndThatOfTheOrigin() {
    assertThat(cell.raiseAll(20, 3)).isEqualTo(20);
    assertThat(cell.raise(1, 15)).isZero(); // one of the three
    assertThat(cell.raise(2, 8)).isEqualTo(3);
    assertThat(cell.raiseAll(22, 3)).isZero(); // late
    assertThat(cell.raiseAll(25, 4)).isEqualTo(2);
    assertThat(cell.imported()).isEqualTo(25);
  }

  @Test
  void carriedCountIsAddedToTheSumOfTheOrigin() {
    PublishedCell carrying = PublishedCell.carrying(9);
    assertThat(carrying.raiseAll(4, 1)).isEqualTo(4);
    assertThat(carrying.imported()).isEqualTo(13);
  }

  @Test
  void regionsThatCountAreCountedOnce() {
    assertThat(PublishedCell.carrying(9).regions()).isZero();
    cell.raise(2, 10);
    assertThat(cell.regions()).isEqualTo(1);
    cell.raise(1, 5);
    cell.raise(1, 6);
    assertThat(cell.regions()).isEqualTo(2);
    cell.raiseAll(0, 1);
    assertThat(cell.regions()).isEqualTo(2);
    cell.raiseAll(0, 1_000);
    assertThat(cell.regions()).isEqualTo(127);
  }

  @Test
  void whatAPeerHasPushedIsPushed() {
    cell.raisePushedByPeers(10, 100);
    cell.raisePushedByPeers(7, 105);
    assertThat(cell.pushed()).isEqualTo(10);
    assertThat(cell.unpushUnlessConfirmed(131)).isTrue(); // a repeated answer confirms nothing
  }

  /** The origin never lowers what it holds as pushed. */
  @Test
  void afterALossTheOriginIsNotBelievedAnyMore() {
    cell.raisePushedByPeers(10, 100);
    assertThat(cell.mergePushed(4, 131)).isTrue();
    cell.raisePushedByPeers(10, 132);
    assertThat(cell.pushed()).isEqualTo(4);
    cell.raisePushed(11, 133);
    assertThat(cell.pushed()).isEqualTo(11);
  }

  @Test
  void secondsMayOverflow() {
    cell.raisePushed(10, Integer.MAX_VALUE - 10);
    assertThat(cell.unpushUnlessConfirmed(Integer.MIN_VALUE + 10)).isFalse();
    cell.raisePushed(11, Integer.MIN_VALUE + 15);
    assertThat(cell.unpushUnlessConfirmed(Integer.MIN_VALUE + 45)).isFalse();
    assertThat(cell.unpushUnlessConfirmed(Integer.MIN_VALUE + 46)).isTrue();
  }

  @Test
  void pushedCountThatIsMissingWithinTheLagOfAReplicaIsNotLost() {
    cell.raisePushed(10, 100);
    assertThat(cell.unpushUnlessConfirmed(130)).isFalse();
    assertThat(cell.mergePushed(4, 130)).isFalse();
    assertThat(cell.pushed()).isEqualTo(10);
  }

  @Test
  void pushedCountThatIsMissingForLongerIsLost() {
    cell.raisePushed(10, 100);
    assertThat(cell.mergePushed(4, 131)).isTrue();
    assertThat(cell.pushed()).isEqualTo(4);
    assertThat(cell.unpushUnlessConfirmed(200)).isTrue();
    assertThat(cell.pushed()).isZero();
  }

  @Test
  void rejectedCountIsNeverLost() {
    cell.reject(10);
    assertThat(cell.pushed()).isEqualTo(10);
    assertThat(cell.unpushUnlessConfirmed(1_000)).isFalse();
  }
}
