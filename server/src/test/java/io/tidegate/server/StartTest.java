package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.MariaDbServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Start of a node whose catalog is in a database that is available, absent or not answering. */
@Timeout(180)
class StartTest {

  private static final HttpClient HTTP = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1)
      .connectTimeout(Client.LONGEST_WAIT)
      .build();

  private static MariaDbServer database;
  private static String key;

  @BeforeAll
  static void createCatalog() {
    database = MariaDbServer.start();
    try (NodeProcess node = NodeProcess.start(flags())) {
      key = node.key();
    }
  }

  @AfterAll
  static void stop() {
    database.close();
  }

  private static String[] flags(String... more) {
    String[] flags = new String[more.length + 3];
    flags[0] = "--region=eu";
    flags[1] = "--jdbc-url=" + database.jdbcUrl();
    flags[2] = "--stop-delay=0s";
    System.arraycopy(more, 0, flags, 3, more.length);
    return flags;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static HttpResponse<String> take(URI uri) throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(uri)
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .timeout(Client.LONGEST_WAIT)
            .POST(HttpRequest.BodyPublishers.ofString(Client.body("start", 1_000_000, 1)))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** The status, or 0 if the node does not listen. */
  private static int status(URI uri) {
    try {
      return take(uri).statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Status 503 is possible only on a busy machine, if the start takes longer than a request waits.
   */
  @Test
  void clientsAreAnsweredWhenTheCatalogIsRead() throws Exception {
    int adminPort = freePort();
    URI ready = URI.create("http://127.0.0.1:" + adminPort + "/ready");
    URI uri = URI.create("http://127.0.0.1:" + freePort() + "/v2/ratelimit.limit");
    database.pause();
    try (NodeProcess node =
        NodeProcess.launch(flags("--http-port=" + uri.getPort(), "--admin-port=" + adminPort))) {
      Set<Integer> statuses = new TreeSet<>();
      node.await("the admin port", () -> {
        statuses.add(status(uri));
        return isStarting(ready);
      });
      for (int i = 0; i < 100; i++) {
        statuses.add(status(uri));
      }
      database.resume();
      node.await("the first decision", () -> {
        statuses.add(status(uri));
        return statuses.contains(200);
      });
      assertThat(statuses).as(node::toString).isSubsetOf(0, 200, 503);
    } finally {
      database.resume();
    }
  }

  private static boolean isStarting(URI ready) {
    return Client.get(ready).status() == 503;
  }

  @Test
  void firstKeyIsShownWhenAnAbsentDatabaseAppears() {
    try (MariaDbServer empty = MariaDbServer.start()) {
      empty.kill();
      try (NodeProcess node = NodeProcess.start("--region=eu", "--jdbc-url=" + empty.jdbcUrl())) {
        assertThat(node.hasKey()).isFalse();
        empty.restart();
        Client client = new Client(node.awaitReady().key());
        assertThat(client.mustTake(node, "late", 10, 1).success()).isTrue();
      }
    }
  }

  @Test
  void absentDatabaseIsLoggedAndAnswered503() throws Exception {
    database.kill();
    try (NodeProcess node = NodeProcess.start(flags())) {
      try {
        assertUnavailable(node);
      } finally {
        database.restart();
      }
      assertRecovery(node);
    }
  }

  @Test
  void databaseThatDoesNotAnswerIsLoggedAndAnswered503() throws Exception {
    database.pause();
    try (NodeProcess node = NodeProcess.start(flags())) {
      try {
        assertUnavailable(node);
      } finally {
        database.resume();
      }
      assertRecovery(node);
    }
  }

  private static void assertUnavailable(NodeProcess node) throws Exception {
    assertThat(Client.get(node.adminUri("/ready")).status()).isEqualTo(503);
    HttpResponse<String> early = take(node.uri("/v2/ratelimit.limit"));
    assertThat(early.statusCode()).isEqualTo(503);
    assertThat(early.headers().firstValue("Retry-After")).hasValue("1");
    assertThat(early.body())
        .contains("\"status\":503", "\"title\":\"Service Unavailable\"", "service_unavailable");
    assertThat(Client.get(node.uri("/v2/liveness")).status()).isEqualTo(200);
    assertThat(node.err().lines())
        .anyMatch(line -> line.contains(" WARN ")
            && line.contains("answering 503")
            && line.contains("127.0.0.1:" + database.port()));
  }

  private static void assertRecovery(NodeProcess node) throws Exception {
    node.awaitReady();
    assertThat(take(node.uri("/v2/ratelimit.limit")).statusCode()).isEqualTo(200);
    node.await("the read of the catalog", () -> node.err().contains("catalog read"));
    node.terminate();
    assertThat(node.exitCode()).as(node::toString).isZero();
  }

  @Test
  void signalStopsANodeThatIsStillStarting() throws Exception {
    int adminPort = freePort();
    database.pause();
    try (NodeProcess node = NodeProcess.launch(flags("--admin-port=" + adminPort))) {
      URI ready = URI.create("http://127.0.0.1:" + adminPort + "/ready");
      node.await("the admin port", () -> isStarting(ready));
      node.terminate();
      assertThat(node.exitCode()).as(node::toString).isZero();
      assertThat(node.out()).isEmpty();
      assertThat(node.warnings()).isEmpty();
    } finally {
      database.resume();
    }
  }
}
