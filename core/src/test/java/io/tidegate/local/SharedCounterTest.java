package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.local.SharedCounter.OwnCell;
import io.tidegate.model.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedCounterTest {

  private static final long WINDOW = 60_000;
  private static final long START = 1_000_000 * WINDOW;

  private Error failing;
  private final List<SharedCounter> changed = new ArrayList<>();
  private final SeriesStore store = new SeriesStore(
      1_000,
      true,
      Duration.ZERO,
      new SeriesStore.Listener() {
        @Override
        public void changed(SharedCounter counter) {
          if (failing != null) {
            throw failing;
          }
          changed.add(counter);
        }
      },
      () -> START);
  private final SeriesTable table = store.attachedTable(new Scope("acme", "login", WINDOW));
  private final SharedCounter counter = table.sharedCounter("user", START);

  private void take(long cost, long nowMillis) {
    assertThat(table.decideUnsure("user", 1_000_000, cost, nowMillis).allowed()).isTrue();
  }

  private static OwnCell ownCell(long startMillis, long count, long confirmed) {
    return new OwnCell(1, startMillis, count, confirmed); // of the first counter of this store
  }

  private static int lifeOf(SharedCounter counter) {
    return counter.cells().get(0).life();
  }

  @Test
  void peersAreMergedByTheGreater() {
    counter.mergePeers(START, 5);
    assertThat(counter.others()).isEqualTo(5);
    counter.mergePeers(START, 10);
    assertThat(counter.others()).isEqualTo(10);
    counter.mergePeers(START, 3);
    counter.mergePeers(START, 10);
    assertThat(counter.others()).isEqualTo(10);
  }

  @Test
  void greatestOfManyAtOnceStays() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (long count : new long[] {1, 50, 99, 42, 7, 1_000, 33, 500, 2, 777}) {
      threads.add(new Thread(() -> counter.mergePeers(START, count)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(counter.others()).isEqualTo(1_000);
  }

  @Test
  void answersGoToTheCellThatTheyAreAbout() {
    take(3, START);
    counter.mergePeers(START, 10);
    take(4, START + WINDOW); // and the cell becomes the previous one
    assertThat(counter.cells(START + WINDOW, WINDOW).previous()).isEqualTo(3 + 10);
    counter.mergePeers(START, 12);
    counter.mergePeers(START - WINDOW, 99); // too late
    counter.mergePeers(START + 2 * WINDOW, 99); // too early
    Cells cells = counter.cells(START + WINDOW, WINDOW);
    assertThat(cells).isEqualTo(new Cells(START + WINDOW, WINDOW, 4, 3 + 12));
  }

  @Test
  void confirmedCountsAreNotToldAgain() {
    take(3, START);
    assertThat(counter.untold()).containsExactly(ownCell(START, 3, 0));
    take(2, START);
    counter.confirm(START, 3);
    assertThat(counter.untold()).containsExactly(ownCell(START, 5, 3));
    counter.confirm(START, 5);
    counter.confirm(START, 3); // late
    assertThat(counter.untold()).isEmpty();
  }

  @Test
  void bothCellsAreToldOldestFirst() {
    take(3, START);
    take(4, START + WINDOW);
    assertThat(counter.untold())
        .containsExactly(ownCell(START, 3, 0), ownCell(START + WINDOW, 4, 0));
    counter.confirm(START, 3);
    assertThat(counter.untold()).containsExactly(ownCell(START + WINDOW, 4, 0));
    counter.unconfirm();
    assertThat(counter.untold()).hasSize(2);
  }

  @Test
  void isQueuedOnceHoweverOftenItGrows() {
    take(1, START);
    take(1, START);
    assertThat(changed).containsExactly(counter);
    counter.unqueueForReplay();
    take(1, START);
    assertThat(changed).containsExactly(counter, counter);
  }

  @Test
  void cellThatLeavesUntoldIsQueuedByItself() {
    take(3, START);
    take(4, START + WINDOW);
    take(5, START + 2 * WINDOW);
    assertThat(changed).hasSize(2);
    SharedCounter left = changed.get(1);
    assertThat(left.isGone()).isTrue();
    assertThat(left.untold()).containsExactly(ownCell(START, 3, 0));
    left.confirm(START, 3);
    assertThat(left.untold()).isEmpty();
  }

  @Test
  void everyCounterHasALifeOfItsOwn() {
    int life = lifeOf(counter);
    counter.evict();
    table.forget("user", counter);
    assertThat(lifeOf(table.sharedCounter("user", START))).isNotEqualTo(life);
    assertThat(lifeOf(table.sharedCounter("other", START))).isNotEqualTo(life);
  }

  /** Its successor counts it as a peer's already; both would count it twice for other regions. */
  @Test
  void nothingIsMergedIntoACounterThatIsGone() {
    take(3, START);
    assertThat(counter.evict()).isTrue();
    counter.mergePeers(START, 10);
    assertThat(counter.mergeRegional(START, 20, 1, START)).isFalse();
    assertThat(counter.mergeImported(START, 0, 30, START)).isFalse();
    assertThat(counter.others()).isZero();
    counter.confirm(START, 3); // own counts are still confirmed
    assertThat(counter.hasUntold()).isFalse();
  }

  /** Memory may run out when a cell is over and its count is not confirmed yet. */
  @Test
  void rotationThatFailsIsMadeByTheNextCaller() {
    take(3, START);
    take(4, START + WINDOW);
    failing = new OutOfMemoryError("thrown by a test");
    assertThatThrownBy(() -> take(5, START + 2 * WINDOW)).isSameAs(failing);
    failing = null;
    take(5, START + 2 * WINDOW);
    assertThat(counter.cells(START + 2 * WINDOW, WINDOW))
        .isEqualTo(new Cells(START + 2 * WINDOW, WINDOW, 5, 4));
    assertThat(counter.untold())
        .containsExactly(ownCell(START + WINDOW, 4, 0), ownCell(START + 2 * WINDOW, 5, 0));
    assertThat(changed)
        .last()
        .satisfies(left -> assertThat(left.untold()).containsExactly(ownCell(START, 3, 0)));
  }
}
