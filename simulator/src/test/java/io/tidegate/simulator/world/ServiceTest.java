package io.tidegate.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceTest {

  private final Timeline timeline = new Timeline();
  private final Service service = new Service(timeline);
  private final List<String> replies = new ArrayList<>();
  private int done;

  private void call() {
    service.<String>handle(
        arrived -> {
          done++;
          return "arrived at " + arrived;
        },
        (value, failure) -> replies.add(failure == null ? value : failure.getMessage()));
  }

  @Test
  void answersAtOnceWhenItIsUp() {
    timeline.runUntil(5);
    call();
    assertThat(replies).containsExactly("arrived at 5");
    assertThat(service.isUp()).isTrue();
  }

  @Test
  void refusesAndDoesNothing() {
    service.become(Service.State.REFUSING);
    call();
    assertThat(replies).containsExactly("refused");
    assertThat(done).isZero();
    assertThat(service.isUp()).isFalse();
  }

  @Test
  void saysNothingWhenItIsSilent() {
    service.become(Service.State.SILENT);
    call();
    timeline.runUntil(1_000_000_000_000L);
    service.become(Service.State.UP);
    assertThat(replies).isEmpty();
    assertThat(done).isZero();
  }

  @Test
  void takesItsTimeAndKnowsWhenACallArrived() {
    service.takeNanos(100);
    timeline.runUntil(5);
    call();
    timeline.runUntil(104);
    assertThat(replies).isEmpty();
    timeline.runUntil(105);
    assertThat(replies).containsExactly("arrived at 5");
  }

  @Test
  void aCallThatIsNotDoneWhenTroubleComesIsNotDone() {
    service.takeNanos(100);
    call();
    timeline.runUntil(50);
    service.become(Service.State.REFUSING);
    timeline.runUntil(100);
    assertThat(replies).containsExactly("refused");
    assertThat(done).isZero();
  }

  @Test
  void whatTheWorkRefusesIsAnAnswer() {
    service.<String>handle(
        arrived -> {
          throw new SimulatedException("no room");
        },
        (value, failure) -> replies.add(failure == null ? value : failure.getMessage()));
    assertThat(replies).containsExactly("no room");
  }
}
