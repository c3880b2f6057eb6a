package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Start, failed start and stop of a node process. */
@Timeout(180)
class ServeProcessTest {

  @TempDir
  private Path data;

  private NodeProcess start(String... flags) {
    return NodeProcess.start(withData(flags));
  }

  private String[] withData(String... flags) {
    String[] all = List.of(flags).toArray(new String[flags.length + 1]);
    all[flags.length] = "--data=" + data;
    return all;
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void signalStopsTheNodeWithoutWarnings(String signal) throws IOException {
    try (NodeProcess node = start("--stop-delay=0s")) {
      assumeThat(receives(node, signal)).isTrue();
      Client client = new Client(node.key());
      assertThat(client.mustTake(node, "once", 10, 1).success()).isTrue();
      node.signal(signal);
      assertThat(node.exitCode()).as(node::toString).isZero();
      assertThat(node.warnings()).isEmpty();
      assertThat(node.err()).contains(" started ", " stopped");
    }
  }

  /** Shells ignore SIGINT for background processes, and a JVM keeps that. */
  private static boolean receives(NodeProcess node, String signal) throws IOException {
    Path status = Path.of("/proc", Long.toString(node.pid()), "status");
    if (!signal.equals("INT") || !Files.exists(status)) {
      return true;
    }
    String ignored = Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .map(line -> line.substring("SigIgn:".length()).strip())
        .findFirst()
        .orElse("0");
    return (Long.parseUnsignedLong(ignored, 16) & 2) == 0; // SIGINT is the second
  }

  @Test
  void hangupDoesNotStopTheNode() {
    try (NodeProcess node = start("--stop-delay=0s")) {
      node.signal("HUP");
      node.await("a line in the log", () -> node.err().contains("SIGHUP: nothing to reload"));
      Client client = new Client(node.key());
      assertThat(client.mustTake(node, "still", 10, 1).success()).isTrue();
      node.terminate();
      assertThat(node.exitCode()).as(node::toString).isZero();
      assertThat(node.warnings()).isEmpty();
    }
  }

  @Test
  void secondSignalEndsTheProcessAtOnce() {
    try (NodeProcess node = start("--stop-delay=10m")) {
      node.terminate();
      node.await("stopping", () -> node.status().equals("stopping"));
      Client client = new Client(node.key());
      assertThat(client.mustTake(node, "still", 10, 1).success()).isTrue();
      node.terminate();
      assertThat(node.exitCode()).isEqualTo(143);
    }
  }

  @Test
  void killedNodeStartsAgainWithTheSameKeys() {
    String key;
    try (NodeProcess first = start()) {
      key = first.key();
      assertThat(new Client(key).mustTake(first, "before", 10, 1).success()).isTrue();
      first.kill();
    }
    try (NodeProcess second = start("--stop-delay=0s")) {
      assertThat(second.hasKey()).isFalse();
      assertThat(new Client(key).mustTake(second, "after", 10, 1).success()).isTrue();
      second.terminate();
      assertThat(second.exitCode()).isZero();
      assertThat(second.warnings()).isEmpty();
    }
  }

  @Test
  void portInUseFailsTheStart() throws IOException {
    assertStartFails("http-port");
  }

  /** A failed start cannot show a key, so it must not create one. */
  @Test
  void failedStartCreatesNoKey() throws IOException {
    assertStartFails("admin-port");
    try (NodeProcess node = start()) {
      assertThat(new Client(node.key()).mustTake(node, "user", 10, 1).success()).isTrue();
    }
  }

  private void assertStartFails(String setting) throws IOException {
    try (ServerSocket occupied = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        NodeProcess node =
            NodeProcess.launch(withData("--" + setting + "=" + occupied.getLocalPort()))) {
      assertThat(node.exitCode()).isEqualTo(1);
      assertThat(node.out()).isEmpty();
      assertThat(node.err())
          .contains("127.0.0.1:" + occupied.getLocalPort(), setting)
          .hasLineCount(1);
    }
  }

  @Test
  void adminPortCanHaveAnotherAddress() {
    assumeThat(isLocal("127.0.0.2")).isTrue();
    try (NodeProcess node = start("--admin-host=127.0.0.2")) {
      assertThat(node.adminUri("/ready").getHost()).isEqualTo("127.0.0.2");
      assertThat(node.status()).isEqualTo("ok");
    }
  }

  private static boolean isLocal(String address) {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void directoryThatCannotBeCreatedFailsTheStart() throws IOException {
    Path file = Files.createFile(data.resolve("file"));
    try (NodeProcess node = NodeProcess.launch("--data=" + file.resolve("data"))) {
      assertThat(node.exitCode()).isEqualTo(1);
      assertThat(node.err()).contains(file.resolve("data").toString()).hasLineCount(1);
    }
  }

  /** The validation of settings does not cover every rule of the adapter. */
  @Test
  void uriThatTheAdapterRejectsFailsTheStart() {
    try (NodeProcess node =
        NodeProcess.launch(withData("--redis-uri=redis://me:hunter2|@127.0.0.1:1"))) {
      assertThat(node.exitCode()).isEqualTo(1);
      assertThat(node.err()).contains("redis-uri is invalid: ").doesNotContain("hunter2");
    }
  }

  /** The counts are below what the push policy sends, so only the shutdown flushes them. */
  @Test
  void stopFlushesPendingCounts() {
    try (RedisServer redis = RedisServer.start();
        MariaDbServer database = MariaDbServer.start();
        NodeProcess node = NodeProcess.start(
            "--region=eu",
            "--redis-uri=" + redis.uri(),
            "--jdbc-url=" + database.jdbcUrl(),
            "--stop-delay=0s")) {
      Client client = new Client(node.key());
      try (NodeProcess peer = NodeProcess.launch(
              "--region=eu", "--redis-uri=" + redis.uri(), "--jdbc-url=" + database.jdbcUrl());
          NodeProcess abroad =
              NodeProcess.launch("--region=us", "--jdbc-url=" + database.jdbcUrl())) {
        peer.awaitReady();
        abroad.awaitReady();
        for (int i = 0; i < 7; i++) {
          assertThat(client.mustTake(node, "counted", 1_000_000, 1).success()).isTrue();
        }
        node.terminate();
        assertThat(node.exitCode()).as(node::toString).isZero();
        assertThat(node.warnings()).isEmpty();
        assertThat(client.count(peer, "counted"))
            .isEqualTo(7); // the series is cold, so the origin is read
        abroad.await("7 tokens", () -> client.count(abroad, "counted") == 7);
      }
    }
  }
}
