package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.MariaDbServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose first root key is given by their settings. */
@Timeout(180)
class FirstRootKeyTest {

  private static final String KEY = "a.key/that+was=given~by-settings_1";
  private static final String NEXT = "a.key/that+was=given~by-settings_2";

  @TempDir
  private Path directory;

  private String keyFile(String key) throws IOException {
    return "--first-root-key-file=" + Files.writeString(directory.resolve("key"), key + "\n");
  }

  private static boolean isLetIn(NodeProcess node, String key) {
    return new Client(key).mustTake(node, "given", 1_000, 1).success();
  }

  private static void assertNotShown(NodeProcess node) {
    assertThat(node.hasKey()).isFalse();
    assertThat(node.out() + node.err()).doesNotContain(KEY, NEXT);
    assertThat(node.warnings()).isEmpty();
  }

  @Test
  void nodesThatStartTogetherCreateItOnceAndNeverPrintIt() {
    try (MariaDbServer database = MariaDbServer.start()) {
      List<NodeProcess> nodes = Stream.generate(() -> NodeProcess.launch(
              "--region=eu", "--jdbc-url=" + database.jdbcUrl(), "--first-root-key=" + KEY))
          .limit(3)
          .toList();
      try {
        nodes.forEach(NodeProcess::awaitReady);
        assertThat(nodes).allMatch(node -> isLetIn(node, KEY));
        nodes.forEach(FirstRootKeyTest::assertNotShown);
        assertThat(database.query("SELECT name FROM root_keys"))
            .containsExactly(List.of("first-root-key"));
      } finally {
        nodes.forEach(NodeProcess::close);
      }
    }
  }

  @Test
  void restartKeepsItAndCreatesANewOneBesideIt() throws IOException {
    String data = "--data=" + directory.resolve("data");
    for (int start = 0; start < 2; start++) {
      try (NodeProcess node = NodeProcess.start(data, keyFile(KEY))) {
        assertThat(isLetIn(node, KEY)).isTrue();
        assertThat(isLetIn(node, NEXT)).isFalse();
        assertNotShown(node);
      }
    }
    try (NodeProcess node = NodeProcess.start(data, keyFile(NEXT))) {
      assertThat(isLetIn(node, KEY)).isTrue();
      assertThat(isLetIn(node, NEXT)).isTrue();
      assertNotShown(node);
    }
  }
}
