package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.command.Commands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The exit codes of the command that checks the health of a running node. */
@Timeout(120)
class HealthCommandTest {

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void readyNodeIsHealthy() {
    try (Node node = Node.start()) {
      String url = node.adminUri("").toString();
      assertThat(run(Map.of(), "--admin-url", url)).isZero();
      assertThat(run(Map.of("TIDEGATE_ADMIN_URL", url))).isZero();
      assertThat(run(Map.of(), "--live", "--admin-url", url)).isZero();
    }
  }

  @Test
  void stoppingNodeIsAliveButNotReady(@TempDir Path data) {
    try (NodeProcess node = NodeProcess.start("--stop-delay=10m", "--data=" + data)) {
      String url = node.adminUri("").toString();
      node.terminate();
      node.await("stopping", () -> node.status().equals("stopping"));
      assertThat(run(Map.of(), "--admin-url", url)).isEqualTo(1);
      assertThat(err.toString(StandardCharsets.UTF_8)).contains(url + "/ready answered 503");
      assertThat(run(Map.of(), "--live", "--admin-url", url)).isZero();
    }
  }

  @Test
  void nodeThatDoesNotRunIsNotHealthy() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertThat(run(Map.of(), "--admin-url", "http://127.0.0.1:" + port)).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("cannot reach http://127.0.0.1:" + port + "/ready")
        .hasLineCount(1);
  }

  @Test
  void nodeThatDoesNotFinishItsAnswerIsNotHealthy() throws IOException {
    try (ServerSocket stuck = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread answering = new Thread(() -> {
        try {
          stuck
              .accept() // closed with the process
              .getOutputStream()
              .write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      answering.start();
      String url = "http://127.0.0.1:" + stuck.getLocalPort();
      assertThat(run(Map.of(), "--admin-url", url)).isEqualTo(1);
      assertThat(err.toString(StandardCharsets.UTF_8))
          .contains("no answer from " + url + "/ready within 3 s")
          .hasLineCount(1);
    }
  }

  private int run(Map<String, String> environment, String... arguments) {
    String[] command = new String[arguments.length + 1];
    command[0] = "health";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    return Commands.commandLine(
            environment,
            System.out,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            (c, o) -> 7)
        .execute(command);
  }
}
