package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.local.SharedCounter.OwnCell;
import io.tidegate.model.Scope;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedCounterTest {

  private static final long WINDOW = 60_000;
  private static final long START = 1_000_000 * WINDOW;

  private final List<SharedCounter> changed = new ArrayList<>();
  private final SeriesStore store = new SeriesStore(1_000, true, true, new SeriesStore.Listener() {
    @Override
    public void changed(SharedCounter counter) {
      changed.add(counter);
    }
  });
  private final SeriesTable table = store.attachedTable(new Scope("acme", "login", WINDOW));
  private final SharedCounter counter = table.sharedCounter("user", START);

  private void take(long cost, long nowMillis) {
    assertThat(table.decideUnsure("user", 1_000_000, cost, nowMillis).allowed()).isTrue();
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
    assertThat(counter.untold()).containsExactly(new OwnCell(START, 3, 0));
    take(2, START);
    counter.confirm(START, 3);
    assertThat(counter.untold()).containsExactly(new OwnCell(START, 5, 3));
    counter.confirm(START, 5);
    counter.confirm(START, 3); // late
    assertThat(counter.untold()).isEmpty();
  }

  @Test
  void bothCellsAreToldOldestFirst() {
    take(3, START);
    take(4, START + WINDOW);
    assertThat(counter.untold())
        .containsExactly(new OwnCell(START, 3, 0), new OwnCell(START + WINDOW, 4, 0));
    counter.confirm(START, 3);
    assertThat(counter.untold()).containsExactly(new OwnCell(START + WINDOW, 4, 0));
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
    assertThat(left.life()).isEqualTo(counter.life());
    assertThat(left.untold()).containsExactly(new OwnCell(START, 3, 0));
    left.confirm(START, 3);
    assertThat(left.untold()).isEmpty();
  }

  @Test
  void everyCounterHasALifeOfItsOwn() {
    counter.evict();
    table.forget("user", counter);
    assertThat(table.sharedCounter("user", START).life()).isNotEqualTo(counter.life());
    assertThat(table.sharedCounter("other", START).life()).isNotEqualTo(counter.life());
  }
}
