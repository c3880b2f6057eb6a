package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.model.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class PendingQueueTest {

  private static final int MAX_EVICTED = 2_000;

  private record Member(String identifier, boolean isRemoved) implements Queueable {

    @Override
    public Scope scope() {
      return new Scope("acme", "login", 60_000);
    }
  }

  private long evictions;
  private final PendingQueue<Member> queue = new PendingQueue<>(MAX_EVICTED, () -> evictions);
  private final List<Member> dropped = new ArrayList<>();

  private void addEvicted(int count) {
    for (int i = 0; i < count; i++) {
      queue.add(new Member("evicted_" + i, true));
      evictions++;
    }
  }

  @Test
  void seriesAreTakenOutInTheOrderOfTheirAddition() {
    queue.add(new Member("a", false));
    queue.add(new Member("b", false));
    assertThat(queue.poll().identifier()).isEqualTo("a");
    assertThat(queue.poll().identifier()).isEqualTo("b");
    assertThat(queue.poll()).isNull();
  }

  @Test
  void seriesCountUntilTheyAreDone() {
    queue.add(new Member("a", false));
    queue.poll();
    assertThat(queue.size()).isEqualTo(1);
    queue.done();
    assertThat(queue.size()).isZero();
  }

  @Test
  void evictedSeriesAreKeptUpToTheBound() {
    addEvicted(MAX_EVICTED);
    queue.dropExcess(dropped::add);
    assertThat(dropped).isEmpty();
  }

  @Test
  void evictedSeriesBeyondTheBoundAreDroppedToHalfOfItOldestFirst() {
    queue.add(new Member("live", false));
    addEvicted(MAX_EVICTED + 1);
    queue.dropExcess(dropped::add);
    assertThat(dropped).hasSize(MAX_EVICTED / 2 + 1);
    assertThat(dropped.get(0).identifier()).isEqualTo("evicted_0");
    assertThat(queue.size()).isEqualTo(1 + MAX_EVICTED / 2);
    assertThat(queue.poll().identifier()).isEqualTo("live");
  }

  @Test
  void boundHoldsAgainAfterItWasReachedOnce() {
    for (int round = 0; round < 5; round++) {
      addEvicted(MAX_EVICTED);
      queue.dropExcess(dropped::add);
      assertThat(queue.size()).isLessThanOrEqualTo(MAX_EVICTED);
    }
  }

  @Test
  void liveSeriesAreNeverDropped() {
    for (int i = 0; i < 3 * MAX_EVICTED; i++) {
      queue.add(new Member("live_" + i, false));
      evictions++; // of series that are not in the queue
    }
    queue.dropExcess(dropped::add);
    assertThat(dropped).isEmpty();
  }

  @Test
  void seriesThatWaitElsewhereAreDroppedToo() {
    addEvicted(MAX_EVICTED + 1);
    List<Member> waiting = new ArrayList<>();
    for (Member member; (member = queue.poll()) != null; ) {
      waiting.add(member);
    }
    queue.dropExcess(waiting::stream, waiting::removeIf, dropped::add);
    assertThat(waiting).hasSize(MAX_EVICTED / 2);
    assertThat(queue.size()).isEqualTo(MAX_EVICTED / 2);
  }

  @Test
  void additionThatFailsDoesNotCount() {
    OutOfMemoryError failure = new OutOfMemoryError("thrown by a test");
    PendingQueue<Member> failing = new PendingQueue<>(
        new ConcurrentLinkedQueue<>() {
          @Override
          public boolean add(Member member) {
            throw failure;
          }
        },
        MAX_EVICTED,
        () -> 0);
    assertThatThrownBy(() -> failing.add(new Member("a", false))).isSameAs(failure);
    assertThat(failing.size()).isZero();
  }

  @Test
  void closedQueueKeepsNothing() {
    queue.add(new Member("a", false));
    queue.close();
    queue.add(new Member("b", false));
    assertThat(queue.poll()).isNull();
  }
}
