package io.tidegate.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // a listener collects the answers
class NetworkLinkTest {

  private static final int MANY = 10_000;

  private final Timeline timeline = new Timeline();
  private final Service service = new Service(timeline);
  private final SimulatedRegion region = new SimulatedRegion(
      "eu",
      new OriginServer(timeline, 1),
      NetworkLink.Quality.of(0, 0),
      NetworkLink.Quality.of(0, 0));
  private final Node node = new Node(timeline, region, "node");
  private final List<Integer> done = new ArrayList<>();
  private final List<Integer> answered = new ArrayList<>();

  private NetworkLink link(NetworkLink.Quality quality) {
    return new NetworkLink(timeline, new Random(3), node, service, quality);
  }

  private CompletableFuture<Integer> call(NetworkLink link, int number) {
    CompletableFuture<Integer> answer = link.call(arrived -> {
      done.add(number);
      return number;
    });
    return answer.whenComplete((value, failure) -> {
      if (failure == null) {
        answered.add(value);
      }
    });
  }

  @Test
  void aCallTakesItsTimeThereAndBack() {
    call(link(NetworkLink.Quality.of(30, 30)), 1);
    timeline.runUntil(29);
    assertThat(done).isEmpty();
    timeline.runUntil(30);
    assertThat(done).containsExactly(1);
    timeline.runUntil(59);
    assertThat(answered).isEmpty();
    timeline.runUntil(60);
    assertThat(answered).containsExactly(1);
  }

  @Test
  void messagesTakeAsLongAsTheyMayAndOvertakeEachOther() {
    NetworkLink link = link(NetworkLink.Quality.of(1_000, 2_000));
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      call(link, i).thenAccept(value -> times.add(timeline.nowNanos()));
    }
    timeline.runUntil(10_000);
    assertThat(times).hasSize(MANY).allMatch(nanos -> nanos >= 2_000 && nanos < 4_000);
    double average = times.stream().mapToLong(Long::longValue).average().orElseThrow();
    assertThat(average).isEqualTo(3_000, within(20.0));
    assertThat(done).isNotEqualTo(done.stream().sorted().toList());
  }

  @Test
  void ofMessagesThereAndBackAPartIsLost() {
    NetworkLink link = link(new NetworkLink.Quality(10, 10, 0.2, 0));
    for (int i = 0; i < MANY; i++) {
      call(link, i);
    }
    timeline.runUntil(100);
    assertThat((double) done.size() / MANY).isEqualTo(0.8, within(0.02));
    assertThat((double) answered.size() / MANY).isEqualTo(0.64, within(0.02));
  }

  @Test
  void aCutLinkDeliversNothing() {
    NetworkLink link = link(new NetworkLink.Quality(10, 10, 1, 0));
    CompletableFuture<Integer> answer = call(link, 1);
    timeline.runUntil(1_000_000_000);
    assertThat(done).isEmpty();
    assertThat(answer).isNotDone();
  }

  @Test
  void aCallWhoseAnswerIsLostWasExecuted() {
    NetworkLink link = link(NetworkLink.Quality.of(10, 10));
    call(link, 1);
    timeline.at(5, () -> link.cut());
    timeline.runUntil(100);
    assertThat(done).containsExactly(1);
    assertThat(answered).isEmpty();
    link.heal();
    call(link, 2);
    timeline.runUntil(200);
    assertThat(answered).containsExactly(2);
  }

  @Test
  void aRepeatedCallIsExecutedTwiceAndAnsweredOnce() {
    NetworkLink link = link(new NetworkLink.Quality(10, 20, 0, 1));
    call(link, 1);
    timeline.runUntil(100);
    assertThat(done).containsExactly(1, 1);
    assertThat(answered).containsExactly(1);
  }

  @Test
  void anErrorReturnsLikeAnAnswer() {
    service.worsen(Service.State.REFUSING);
    CompletableFuture<Integer> answer = call(link(NetworkLink.Quality.of(10, 10)), 1);
    timeline.runUntil(19);
    assertThat(answer).isNotDone();
    timeline.runUntil(20);
    assertThat(answer).isCompletedExceptionally();
  }

  @Test
  void aFrozenNodeReceivesItsAnswerWhenItThaws() {
    call(link(NetworkLink.Quality.of(10, 10)), 1);
    node.freeze();
    timeline.runUntil(100);
    assertThat(done).containsExactly(1);
    assertThat(answered).isEmpty();
    node.thaw();
    assertThat(answered).containsExactly(1);
  }

  @Test
  void aDeadNodeReceivesNoAnswer() {
    call(link(NetworkLink.Quality.of(10, 10)), 1);
    node.crash();
    timeline.runUntil(100);
    assertThat(done).containsExactly(1);
    assertThat(answered).isEmpty();
  }
}
