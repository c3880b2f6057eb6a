package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.config.ServerConfig;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/** Completeness of docs/operating.md. */
class OperatingGuideTest {

  private final String guide;

  OperatingGuideTest() throws IOException {
    guide = Files.readString(Path.of("../docs/operating.md"));
  }

  @Test
  void namesEverySetting() {
    CommandSpec serve = CommandSpec.create();
    ServerConfig.declare(serve);
    List<String> settings = serve.options().stream()
        .map(option -> "`" + option.longestName().substring(2) + "`")
        .toList();
    assertThat(settings).hasSizeGreaterThan(25).allMatch(guide::contains);
  }

  @Test
  void namesEveryMetric() {
    try (Node node = Node.start()) {
      List<String> metrics = Node.send(
              HttpRequest.newBuilder(node.adminUri("/metrics")).build())
          .body()
          .lines()
          .filter(line -> line.startsWith("# TYPE tidegate_"))
          .map(line -> "`" + line.split(" ", -1)[2])
          .toList();
      assertThat(metrics).hasSizeGreaterThan(30).allMatch(guide::contains);
    }
  }
}
