package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.MariaDbServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The push policy of a node's settings. */
@Timeout(120)
class PushPolicyTest {

  private static final String ONE_OF_MANY =
      "{\"namespace\":\"calls\",\"identifier\":\"u\",\"limit\":1000000,\"duration\":3600000}";

  /** One token of a million is far below what the default policy pushes. */
  @Test
  void floorOfZeroPushesEveryCount() {
    try (MariaDbServer database = MariaDbServer.start();
        Node node = Node.start(
            "--region=eu",
            "--jdbc-url=" + database.jdbcUrl(),
            "--push-policy=floor:0",
            "--push-interval=100ms")) {
      assertThat(node.ask("limit", ONE_OF_MANY).status()).isEqualTo(200);
      NodeProcess.await(
          () -> "a row",
          () -> !database
              .query("SELECT count FROM ratelimit_window_counts WHERE identifier = 'u'")
              .isEmpty());
    }
  }
}
