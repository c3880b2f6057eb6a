package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class SharedCounterTest {

  private static final long WINDOW = 60_000;
  private static final long START = 1_000_000 * WINDOW;

  private Error failing;

  /** The backing queue of the replay queue; shows the order of additions, and can fail. */
  private final Queue<Unconfirmed> changed = new ConcurrentLinkedQueue<>() {
    @Override
    public boolean add(Unconfirmed series) {
      if (failing != null) {
        throw failing;
      }
      return super.add(series);
    }
  };

  private long clock = START;
  private final SeriesStore store = new SeriesStore(
      1_000, true, Duration.ZERO, new SeriesStore.Listener() {}, () -> clock, changed);
  private final SeriesTable table = store.attachedTable(new Scope("acme", "login", WINDOW));
  private final SharedCounter counter = table.sharedCounter("user", START);

  private void take(long cost, long nowMillis) {
    assertThat(table.decideFromMemory("user", 1_000_000, cost, nowMillis).allowed())
        .isTrue();
  }

  private OwnCell ownCell(long startMillis, long count, long confirmed) {
    return new OwnCell(counter, 1, startMillis, count, confirmed); // the store's first counter
  }

  private static CellAnswer peers(long count) {
    return new CellAnswer(count, 0, 0, 0);
  }

  private void mergePeers(long startMillis, long peers) {
    counter.mergeAll(List.of(ownCell(startMillis, 0, 0)), List.of(peers(peers)), START);
  }

  private void confirm(long startMillis, long count) {
    counter.confirm(ownCell(startMillis, count, 0));
  }

  private static int incarnationOf(SharedCounter counter) {
    return counter.cells().get(0).incarnation();
  }

  @Test
  void mergeTakesTheGreaterPeersCount() {
    mergePeers(START, 5);
    assertThat(counter.others()).isEqualTo(5);
    mergePeers(START, 10);
    assertThat(counter.others()).isEqualTo(10);
    mergePeers(START, 3);
    mergePeers(START, 10);
    assertThat(counter.others()).isEqualTo(10);
  }

  @Test
  void concurrentMergesKeepTheGreatestCount() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (long count : new long[] {1, 50, 99, 42, 7, 1_000, 33, 500, 2, 777}) {
      threads.add(new Thread(() -> mergePeers(START, count)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(counter.others()).isEqualTo(1_000);
  }

  @Test
  void answersGoToTheirOwnCell() {
    take(3, START);
    mergePeers(START, 10);
    take(4, START + WINDOW); // the cell becomes the previous one
    assertThat(counter.cells(START + WINDOW, WINDOW).previous()).isEqualTo(3 + 10);
    mergePeers(START, 12);
    mergePeers(START - WINDOW, 99); // too late
    mergePeers(START + 2 * WINDOW, 99); // too early
    Cells cells = counter.cells(START + WINDOW, WINDOW);
    assertThat(cells).isEqualTo(new Cells(START + WINDOW, WINDOW, 4, 3 + 12));
  }

  @Test
  void oneAnswerConfirmsAndMergesAndKeepsTheSeriesFresh() {
    take(3, START);
    counter.refresh(counter.cells(), List.of(peers(0), peers(0)), START, START);
    counter.merge(ownCell(START, 3, 0), peers(10), START + 4_000);
    assertThat(counter.unconfirmed()).isEmpty();
    assertThat(counter.others()).isEqualTo(10);
    assertThat(counter.isSure(START + 8_999)).isTrue();
    assertThat(counter.isSure(START + 9_000)).isFalse();
  }

  @Test
  void answerAboutOneCellLeavesAColdSeriesCold() {
    take(3, START);
    counter.merge(ownCell(START, 3, 0), peers(10), START);
    assertThat(counter.isCold()).isTrue();
  }

  @Test
  void rotatedSeriesIsColdAndGoesOnUpToHalfItsLimit() {
    counter.refresh(counter.cells(), List.of(peers(0), peers(0)), START, START + WINDOW - 1);
    take(1, START + WINDOW);
    assertThat(counter.isCold()).isTrue();
    assertThat(counter.mostWithoutRead(100, START + WINDOW)).isEqualTo(50);
    assertThat(counter.mostWithoutRead(100, START + WINDOW + 5_000)).isNegative();
  }

  @Test
  void answerAboutThePreviousCellMakesNoSeriesFresh() {
    List<OwnCell> asked = counter.cells();
    take(1, START + WINDOW);
    counter.refresh(asked, List.of(peers(0), peers(0)), START, START + WINDOW);
    assertThat(counter.isCold()).isTrue();
    assertThat(counter.mostWithoutRead(100, START + WINDOW)).isEqualTo(50);
  }

  @Test
  void bothCellsAreReadAgainAfterTheLastCountsOfThePreviousOneArrivedAndThenEveryFiveSeconds() {
    List<CellAnswer> nothing = List.of(peers(0), peers(0));
    counter.refresh(counter.cells(), nothing, START, START);
    assertThat(counter.takeReadOfBothCells(START)).isFalse();
    assertThat(counter.takeReadOfBothCells(START + 6_000)).isTrue();
    assertThat(counter.takeReadOfBothCells(START + 6_001)).isFalse();
    assertThat(counter.takeReadOfBothCells(START + 10_999)).isFalse();
    assertThat(counter.takeReadOfBothCells(START + 11_000)).isTrue();
    counter.refresh(counter.cells(), nothing, START + 12_000, START + 12_000);
    assertThat(counter.takeReadOfBothCells(START + 16_999)).isFalse();
    assertThat(counter.takeReadOfBothCells(START + 17_000)).isTrue();
    take(1, START + WINDOW);
    assertThat(counter.takeReadOfBothCells(START + WINDOW + 6_000)).isFalse(); // cold: will be read
    counter.refresh(counter.cells(), nothing, START + WINDOW + 6_000, START + WINDOW + 6_000);
    assertThat(counter.takeReadOfBothCells(START + WINDOW + 6_001))
        .isFalse(); // was read late enough
  }

  @Test
  void confirmedCountsAreNotSentAgain() {
    take(3, START);
    assertThat(counter.unconfirmed()).containsExactly(ownCell(START, 3, 0));
    take(2, START);
    confirm(START, 3);
    assertThat(counter.unconfirmed()).containsExactly(ownCell(START, 5, 3));
    confirm(START, 5);
    confirm(START, 3); // late
    assertThat(counter.unconfirmed()).isEmpty();
  }

  @Test
  void bothCellsAreSentOldestFirst() {
    take(3, START);
    take(4, START + WINDOW);
    assertThat(counter.unconfirmed())
        .containsExactly(ownCell(START, 3, 0), ownCell(START + WINDOW, 4, 0));
    confirm(START, 3);
    assertThat(counter.unconfirmed()).containsExactly(ownCell(START + WINDOW, 4, 0));
    counter.unconfirm();
    assertThat(counter.unconfirmed()).hasSize(2);
  }

  @Test
  void isQueuedOnceHoweverOftenItGrows() {
    take(1, START);
    take(1, START);
    assertThat(changed).containsExactly(counter);
    confirm(START, 2);
    assertThat(counter.unqueueOrKeep()).isFalse();
    take(1, START);
    assertThat(changed).containsExactly(counter, counter);
  }

  @Test
  void staysQueuedIfItHasGrownSinceTheAnswer() {
    take(1, START);
    confirm(START, 1);
    take(1, START);
    assertThat(counter.unqueueOrKeep()).isTrue();
    take(1, START);
    assertThat(changed).containsExactly(counter);
  }

  @Test
  void cellThatLeavesUnconfirmedIsQueuedByItself() {
    take(3, START);
    take(4, START + WINDOW);
    take(5, START + 2 * WINDOW);
    assertThat(changed).hasSize(2);
    Unconfirmed left = changed.stream().skip(1).findFirst().orElseThrow();
    assertThat(left.isRemoved()).isTrue();
    assertThat(left.unconfirmed()).containsExactly(new OwnCell(left, 1, START, 3, 0));
    left.merge(left.unconfirmed().get(0), peers(99), START);
    assertThat(left.unconfirmed()).isEmpty();
    assertThat(left.unqueueOrKeep()).isFalse();
  }

  @Test
  void cellsThatARebaseLeavesAreSentAndPushedWhereTheyWereCounted() {
    take(3, START + 10 * WINDOW);
    clock = START;
    take(4, START);
    assertThat(counter.startMillis()).isEqualTo(START);
    assertThat(counter.others()).isEqualTo(3); // still weighs
    Unconfirmed left = changed.stream().skip(1).findFirst().orElseThrow();
    assertThat(left.unconfirmed()).containsExactly(new OwnCell(left, 1, START + 10 * WINDOW, 3, 0));
    assertThat(counter.unconfirmed())
        .containsExactly(new OwnCell(counter, incarnationOf(counter), START, 4, 0));
    assertThat(incarnationOf(counter)).isNotEqualTo(1);
    store.unpushed().poll(); // the counter itself
    Unpushed future = store.unpushed().poll();
    assertThat(future.unpushed(START))
        .containsExactly(new RegionalCell(START + 10 * WINDOW, 3, 0, 1_000_000, 3, 1));
    future.confirmPushed(START + 10 * WINDOW, 3, 1);
    assertThat(future.unpushed(START)).isEmpty();
    assertThat(counter.unpushed(START)).extracting(RegionalCell::count).containsExactly(4L);
  }

  /** The answer may return after a clock was ahead and the series came back to the same cell. */
  @Test
  void answerToAnEarlierIncarnationConfirmsNothing() {
    take(3, START);
    OwnCell sent = counter.unconfirmed().get(0);
    take(1, START + 10 * WINDOW);
    take(2, START);
    assertThat(counter.startMillis()).isEqualTo(START);
    counter.merge(sent, peers(0), START);
    assertThat(counter.unconfirmed()).extracting(OwnCell::confirmed).containsExactly(0L);
  }

  @Test
  void everyCounterHasItsOwnIncarnation() {
    int incarnation = incarnationOf(counter);
    counter.evict();
    table.drop(counter);
    assertThat(incarnationOf(table.sharedCounter("user", START))).isNotEqualTo(incarnation);
    assertThat(incarnationOf(table.sharedCounter("other", START))).isNotEqualTo(incarnation);
  }

  /** Its successor counts the same tokens as a peer's; both would count them twice. */
  @Test
  void nothingIsMergedIntoARemovedCounter() {
    take(3, START);
    assertThat(counter.evict()).isTrue();
    mergePeers(START, 10);
    assertThat(counter.mergeRegional(START, 20, 1, START)).isFalse();
    assertThat(counter.mergeImported(START, 1, 30, START)).isFalse();
    counter.merge(ownCell(START, 2, 0), peers(10), START); // own counts are still confirmed
    assertThat(counter.others()).isZero();
    assertThat(counter.unconfirmed()).containsExactly(ownCell(START, 3, 2));
    confirm(START, 3);
    assertThat(counter.unconfirmed()).isEmpty();
  }

  @Test
  void importedCountsAreNeverPushed() {
    take(3, START);
    mergePeers(START, 10);
    counter.mergeImported(START, 1, 500, START);
    assertThat(counter.unpushed(START))
        .containsExactly(new RegionalCell(START, 13, 0, 1_000_000, 513, 2));
    counter.mergeImported(START, 2, 40, START);
    counter.confirmPushed(START, 13, 1);
    assertThat(counter.unpushed(START)).isEmpty();
    take(1, START + WINDOW);
    assertThat(counter.unpushed(START + WINDOW))
        .extracting(RegionalCell::count)
        .containsExactly(1L);
  }

  @Test
  void lowestLimitIsThatOfTheCurrentCellIfItHasOne() {
    table.decideFromMemory("user", 500, 1, START);
    table.decideFromMemory("user", 900, 1, START);
    assertThat(counter.lowestLimit()).isEqualTo(500);
    counter.mergeImported(START + WINDOW, 1, 1, START + WINDOW); // rotates
    assertThat(counter.lowestLimit()).isEqualTo(500);
    table.decideFromMemory("user", 900, 1, START + WINDOW);
    assertThat(counter.lowestLimit()).isEqualTo(900);
  }

  /** Memory may run out when a cell ends and its count is not confirmed yet. */
  @Test
  @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD) // else it would wait for ever
  void rotationThatFailsIsMadeByTheNextCaller() {
    take(3, START);
    take(4, START + WINDOW);
    failing = new OutOfMemoryError("thrown by a test");
    assertThatThrownBy(() -> take(5, START + 2 * WINDOW)).isSameAs(failing);
    failing = null;
    take(5, START + 2 * WINDOW);
    assertThat(counter.cells(START + 2 * WINDOW, WINDOW))
        .isEqualTo(new Cells(START + 2 * WINDOW, WINDOW, 5, 4));
    assertThat(counter.unconfirmed())
        .containsExactly(ownCell(START + WINDOW, 4, 0), ownCell(START + 2 * WINDOW, 5, 0));
    assertThat(changed)
        .last()
        .satisfies(left ->
            assertThat(left.unconfirmed()).containsExactly(new OwnCell(left, 1, START, 3, 0)));
  }

  private static LimitRequest request(String identifier, long limit) {
    return LimitRequest.of("acme", "login", identifier, Limit.of(limit, Duration.ofMillis(WINDOW)));
  }

  /** Memory may run out when the series of a batch are added to a queue. */
  @Test
  @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD) // else it would wait for ever
  void batchThatFailsLeavesNoSeriesHeldAndIsSentLater() {
    SharedCounter other = table.sharedCounter("other", START);
    LimitRequest[] both = {request("user", 100), request("other", 100)};
    failing = new OutOfMemoryError("thrown by a test");
    assertThatThrownBy(() -> new Batch(store, both, START).decide()).isSameAs(failing);
    failing = null;
    assertThat(new Batch(store, both, START).decide().allowed()).isTrue();
    assertThat(List.of(counter.own(), other.own())).containsExactly(2L, 2L);
    assertThat(changed).containsExactlyInAnyOrder(counter, other);
  }

  @Test
  void lowestLimitOfABatchIsThatOfAllRequestsForASeries() {
    LimitRequest[] twice = {request("user", 300), request("user", 500)};
    new Batch(store, twice, START).decide();
    assertThat(counter.lowestLimit()).isEqualTo(300);
  }
}
