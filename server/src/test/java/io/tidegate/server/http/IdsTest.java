package io.tidegate.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdsTest {

  @Test
  void anIdHasAPrefixAndNineAlphanumerics() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(Ids.request()).matches("req_[0-9A-Za-z]{9}");
    }
  }

  /** Two of a hundred thousand are equal in one of three million runs. */
  @Test
  void idsAreUnique() {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      ids.add(Ids.request());
    }
    assertThat(ids).hasSize(100_000);
  }

  @Test
  void everyPositionHasEveryCharacter() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      String id = Ids.request();
      for (int place = 4; place < id.length(); place++) {
        seen.add(place + ":" + id.charAt(place));
      }
    }
    assertThat(seen).hasSize(9 * 62);
  }
}
