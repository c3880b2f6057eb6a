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
  void aHealthyServiceAnswersAtOnce() {
    timeline.runUntil(5);
    call();
    assertThat(replies).containsExactly("arrived at 5");
  }

  @Test
  void refusedCallsHaveNoEffect() {
    service.worsen(Service.State.REFUSING);
    call();
    assertThat(replies).containsExactly("refused");
    assertThat(done).isZero();
  }

  @Test
  void aSilentServiceNeverAnswers() {
    service.worsen(Service.State.SILENT);
    call();
    timeline.runUntil(1_000_000_000_000L);
    service.heal();
    assertThat(replies).isEmpty();
    assertThat(done).isZero();
  }

  @Test
  void aSlowServiceDelaysCallsAndPassesTheirArrival() {
    service.slowDown(100);
    timeline.runUntil(5);
    call();
    timeline.runUntil(104);
    assertThat(replies).isEmpty();
    timeline.runUntil(105);
    assertThat(replies).containsExactly("arrived at 5");
  }

  @Test
  void aDelayedCallFailsIfTheServiceStartsToRefuse() {
    service.slowDown(100);
    call();
    timeline.runUntil(50);
    service.worsen(Service.State.REFUSING);
    timeline.runUntil(100);
    assertThat(replies).containsExactly("refused");
    assertThat(done).isZero();
  }
}
