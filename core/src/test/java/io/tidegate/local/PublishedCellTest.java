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
    assertThat(cell.raise(0, 5)).isEqualTo(5);
    assertThat(cell.raise(2, 7)).isZero(); // late
    assertThat(cell.raise(2, 12)).isEqualTo(2);
    assertThat(cell.imported()).isEqualTo(17);
  }

  @Test
  void carriedCountIsNoCountOfARegion() {
    PublishedCell carrying = PublishedCell.carrying(9);
    assertThat(carrying.raise(0, 4)).isEqualTo(4);
    assertThat(carrying.imported()).isEqualTo(13);
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
