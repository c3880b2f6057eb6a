package io.tidegate.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.tidegate.benchmarks.http.Contender.Sent;
import io.tidegate.benchmarks.load.LoadGenerator.Order;
import io.tidegate.testkit.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;

/** Options for other servers, with a real server. */
class PeerTest {

  /** What the server received: method, target, content type, X-Client and body. */
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /** Statuses of the next answers; 200 when there are no more. */
  private final List<Integer> statuses = new CopyOnWriteArrayList<>();

  private volatile boolean chunked;
  private HttpServer server;
  private String url;

  @TempDir
  private Path directory;

  /** The options as the command declares them. */
  static final class Options {
    @ArgGroup(exclusive = false, multiplicity = "0..*")
    List<Peer> peers = new ArrayList<>();
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      requests.add("%s %s %s %s %s"
          .formatted(
              exchange.getRequestMethod(),
              exchange.getRequestURI(),
              exchange.getRequestHeaders().getFirst("Content-Type"),
              exchange.getRequestHeaders().getFirst("X-Client"),
              body));
      int status = statuses.isEmpty() ? 200 : statuses.remove(0);
      exchange.sendResponseHeaders(status, chunked ? 0 : 6);
      exchange.getResponseBody().write("answer".getBytes(StandardCharsets.UTF_8));
      exchange.close();
    });
    server.start();
    url = "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void theKeyReplacesThePlaceholderInTheBody() throws IOException {
    Contender peer =
        peer("--against", "peer=" + url + "/check", "--body", file("{\"k\":\"{key}\"}\n"));
    assertThat(peer.name()).isEqualTo("peer");
    requests.clear();
    send(peer, 3, 10);
    assertThat(requests)
        .hasSize(3)
        .doesNotHaveDuplicates()
        .contains("POST /check application/json null {\"k\":\"user_000007\"}");
  }

  @Test
  void aBodyMayHaveCharactersBeyondAscii() throws IOException {
    Contender peer = peer("--against", "peer=" + url, "--body", file("Zürich {key} ✓"));
    requests.clear();
    send(peer, 2, 2);
    assertThat(requests)
        .containsExactlyInAnyOrder(
            "POST / application/json null Zürich user_000000 ✓",
            "POST / application/json null Zürich user_000001 ✓");
  }

  @Test
  void withoutABodyTheKeyIsInTheUrlOrAHeader() {
    Contender peer =
        peer("--against", "peer=" + url + "/check?id={key}", "--header", "X-Client: {key}");
    requests.clear();
    send(peer, 1, 1);
    assertThat(requests).containsExactly("GET /check?id=user_000000 null user_000000 ");
  }

  @Test
  void optionsBelongToTheServerBeforeThem() throws IOException {
    List<Contender> peers = peers(
        "--against",
        "one=" + url + "/1",
        "--body",
        file("1"),
        "--header",
        "X-Client: a",
        "--header",
        "Content-Type: text/plain",
        "--against",
        "two=" + url + "/2");
    requests.clear();
    peers.forEach(peer -> send(peer, 1, 1));
    assertThat(requests).containsExactly("POST /1 text/plain a 1", "GET /2 null null ");
  }

  @Test
  void denialsAreAnswersAndOtherStatusesAreCounted() {
    Contender peer = peer("--against", "peer=" + url);
    statuses.addAll(List.of(429, 500, 204, 429, 404));
    Sent sent = send(peer, 8, 1);
    assertThat(sent.outcome().requests()).isEqualTo(8);
    assertThat(sent.refused().denied()).isEqualTo(2);
    assertThat(sent.refused().failed()).isEqualTo(2);
  }

  @Test
  void answersInChunksAreReadToTheirEnd() {
    chunked = true;
    Contender peer = peer("--against", "peer=" + url);
    assertThat(send(peer, 20, 1).outcome().requests()).isEqualTo(20);
  }

  @Test
  void theListeningProcessIsFound() {
    assertThat(peer("--against", "peer=" + url).processes())
        .containsExactly(ProcessHandle.current());
    assertThat(ListeningProcesses.of(Ports.free())).isEmpty();
  }

  @Test
  void processesCanBeGiven() {
    ProcessHandle parent = ProcessHandle.current().parent().orElseThrow();
    assertThat(peer("--against", "peer=" + url, "--pid", "" + parent.pid()).processes())
        .containsExactly(parent);
  }

  @Test
  void aServerThatIsNotRunningIsNamed() {
    String nowhere = "http://127.0.0.1:" + Ports.free() + "/x";
    assertRejected("peer, " + nowhere + ": Connection refused", "--against", "peer=" + nowhere);
  }

  @Test
  void aServerThatStopsDuringALoadIsNamed() {
    Contender peer = peer("--against", "peer=" + url);
    server.stop(0);
    assertThatThrownBy(() -> send(peer, 1, 1)).hasMessageContaining("peer, " + url + ": ");
  }

  @Test
  void aServerThatAnswersAnErrorIsRejected() {
    statuses.add(404);
    assertRejected(url + " answered HTTP/1.1 404", "--against", "peer=" + url);
  }

  @Test
  void onlyLoopbackAddressesAreAcceptedUnlessAllowed() {
    String remote = "http://192.0.2.1:80/"; // reserved for documentation, not routed
    assertRejected(
        "not a loopback address (see --remote): " + remote, "--against", "peer=" + remote);
  }

  @Test
  void invalidOptionsAreNamed() {
    assertRejected("not of the form NAME=URL: " + url, "--against", url);
    assertRejected("not an http:// URL: https://127.0.0.1/", "--against", "a=https://127.0.0.1/");
    assertRejected("not an http:// URL: 127.0.0.1:8080", "--against", "a=127.0.0.1:8080");
    assertRejected("cannot read no/such/file", "--against", "a=" + url, "--body", "no/such/file");
    assertRejected("'NAME: VALUE': token", "--against", "a=" + url, "--header", "token");
    assertRejected("no such process: 999999999", "--against", "a=" + url, "--pid", "999999999");
  }

  private void assertRejected(String message, String... arguments) {
    assertThatThrownBy(() -> peers(arguments))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static Contender peer(String... arguments) {
    return peers(arguments).get(0);
  }

  private static List<Contender> peers(String... arguments) {
    Options options = new Options();
    new CommandLine(options).parseArgs(arguments);
    return options.peers.stream().map(peer -> peer.contender(false)).toList();
  }

  private static Sent send(Contender peer, int requests, int keys) {
    return peer.send(Order.atMost(requests, 10_000), 1, keys);
  }

  private String file(String text) throws IOException {
    return Files.writeString(directory.resolve("body"), text).toString();
  }
}
