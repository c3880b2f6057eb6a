package io.tidegate.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldActionsTest {

  private final HeldActions actions = new HeldActions();
  private final List<String> ran = new ArrayList<>();

  @Test
  void actionsAreHeldBackUntilTheyAreOpened() {
    actions.run(() -> ran.add("a"));
    assertThat(ran).isEmpty();
    actions.open();
    actions.run(() -> ran.add("b"));
    assertThat(ran).containsExactly("a", "b");
  }

  @Test
  void actionThatIsAddedMeanwhileRunsAfterThoseThatWereHeldBack() {
    actions.run(() -> {
      ran.add("a");
      actions.run(() -> ran.add("c"));
    });
    actions.run(() -> ran.add("b"));
    actions.open();
    assertThat(ran).containsExactly("a", "b", "c");
  }
}
