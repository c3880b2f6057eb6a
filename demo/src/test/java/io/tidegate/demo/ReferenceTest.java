package io.tidegate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.Waiting;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReferenceTest {

  /** In one burst nothing is pushed, so every region admits the limit once, whatever its nodes. */
  @Test
  void regionsShareNothingWithinAnInterval() {
    User user = new User("user", "");
    try (Reference reference = new Reference(List.of("eu", "us", "ap"), 2)) {
      Waiting.await("the nodes to find each other", reference::isReady);
      for (int i = 0; i < 6 * User.LIMIT; i++) {
        reference.request(user, i % 3, i / 3 % 2);
      }
      // About: nodes of a region may exceed a limit by some requests, and a window may end
      // meanwhile.
      assertThat(User.timesLimit(user.reference().most())).isBetween(2.9, 3.1);
    }
  }

  @Test
  void holdsALimitWithinARegion() {
    User user = new User("user", "");
    try (Reference reference = new Reference(List.of("eu"), 2)) {
      Waiting.await("the nodes to find each other", reference::isReady);
      for (int i = 0; i < 3 * User.LIMIT; i++) {
        reference.request(user, 0, i % 2);
      }
      assertThat(User.timesLimit(user.reference().most())).isBetween(0.97, 1.03);
    }
  }
}
