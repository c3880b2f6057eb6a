package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.sun.net.httpserver.HttpServer;
import io.tidegate.testkit.PipBinary;
import io.tidegate.testkit.Ports;
import io.tidegate.testkit.ProxyServer;
import io.tidegate.testkit.ProxyServer.Program;
import io.tidegate.testkit.RedisServer;
import io.tidegate.testkit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

/**
 * Forward auth behind real proxies, with the configurations of {@code docs/gateways.md}. Tests of a
 * proxy that is not installed and cannot be fetched are skipped, with the reason.
 */
@Timeout(300)
class ForwardAuthProxiesTest {

  /** The limit of the rule file in the document. */
  private static final int LIMIT = 10;

  /** Allows for a busy machine; the node waits 300 ms for Redis. */
  private static final Duration ANSWER_BOUND = Duration.ofSeconds(5);

  /** A configuration of the document, and what it does. */
  private enum Proxy {
    TRAEFIK(Program.TRAEFIK, false, 500, 500),
    CADDY(Program.CADDY, false, 502, 504),
    CADDY_WITH_HEADERS(Program.CADDY, true, 502, 504),
    NGINX(Program.NGINX, true, 500, 500),
    NGINX_WITHOUT_TIDEGATE(Program.NGINX, true, 200, 200);

    private final Program program;
    private final boolean addsHeaders;
    private final int statusIfKilled;
    private final int statusIfPaused;

    Proxy(Program program, boolean addsHeaders, int statusIfKilled, int statusIfPaused) {
      this.program = program;
      this.addsHeaders = addsHeaders;
      this.statusIfKilled = statusIfKilled;
      this.statusIfPaused = statusIfPaused;
    }

    Map<String, String> files() {
      return switch (this) {
        case TRAEFIK ->
          Map.of(
              "traefik.yaml", GatewaysPage.block("traefik.yaml"),
              "dynamic.yaml", GatewaysPage.block("dynamic.yaml"));
        case CADDY -> Map.of("Caddyfile", GatewaysPage.block("Caddyfile"));
        case CADDY_WITH_HEADERS -> Map.of("Caddyfile", GatewaysPage.block("Caddyfile-with-fields"));
        case NGINX -> Map.of("nginx.conf", nginx());
        case NGINX_WITHOUT_TIDEGATE -> Map.of("nginx.conf", nginxWithoutTidegate());
      };
    }

    /** Temporary files of a packaged nginx would be where only root may write. */
    private static String nginx() {
      StringBuilder paths = new StringBuilder("http {");
      for (String kind : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
        paths.append("\n    ").append(kind).append("_temp_path temp;");
      }
      return GatewaysPage.block("nginx.conf").replace("http {", paths + "\n    access_log off;");
    }

    private static String nginxWithoutTidegate() {
      List<String> lines = GatewaysPage.block("nginx-unavailable.conf").lines().toList();
      assertThat(lines).hasSize(4).startsWith("# in \"location = /tidegate\"");
      return nginx()
          .replace("location = /tidegate {", "location = /tidegate {\n" + lines.get(1))
          .replace("listen 10000;", "listen 10000;\n" + lines.get(3));
    }
  }

  /** What the application received. */
  private record Received(String method, String body) {}

  private static final List<Received> RECEIVED = new CopyOnWriteArrayList<>();
  private static final Map<Proxy, ProxyServer> PROXIES = new EnumMap<>(Proxy.class);

  @TempDir
  private static Path directory;

  private static RedisServer redis;
  private static HttpServer application;
  private static int gatewayPort;
  private static NodeProcess node;

  /** Another address of this machine for each client, so that no test uses the limit of another. */
  private static int clients;

  @BeforeAll
  static void start() throws IOException {
    redis = RedisServer.start();
    application = HttpServer.create(new InetSocketAddress(loopback(1), 0), 0);
    application.setExecutor(Executors.newCachedThreadPool());
    application.createContext("/", exchange -> {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII);
      RECEIVED.add(new Received(exchange.getRequestMethod(), body));
      byte[] answer = "application".getBytes(StandardCharsets.US_ASCII);
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    application.start();
    Files.createDirectory(directory.resolve("rules"));
    Files.writeString(directory.resolve("rules/web.yaml"), GatewaysPage.block("rules/web.yaml"));
    gatewayPort = Ports.free();
    startNode();
  }

  private static void startNode() {
    node = NodeProcess.start(
            "--redis-uri=" + redis.uri(),
            "--gateway-port=" + gatewayPort,
            "--rules=" + directory.resolve("rules"),
            "--data=" + directory.resolve("data"))
        .awaitReady();
  }

  @AfterAll
  static void stop() {
    PROXIES.values().forEach(ProxyServer::close);
    node.close();
    application.stop(0);
    redis.close();
  }

  /** Even the continuous build may skip nginx, which only Debian and its like can fetch. */
  private static ProxyServer proxy(Proxy kind) {
    if (kind.program != Program.NGINX) {
      return Programs.orSkip(() -> started(kind));
    }
    try {
      return started(kind);
    } catch (PipBinary.UnavailableException e) {
      System.err.println("SKIPPED: " + e.getMessage());
      return abort("skipped: " + e.getMessage());
    }
  }

  private static ProxyServer started(Proxy kind) {
    return PROXIES.computeIfAbsent(
        kind,
        missing -> ProxyServer.start(kind.program, port -> {
          Map<String, String> files = new HashMap<>(kind.files());
          files.replaceAll((name, text) -> withPorts(port).apply(text));
          return files;
        }));
  }

  private static UnaryOperator<String> withPorts(int port) {
    return text -> text.replace("10000", Integer.toString(port))
        .replace("127.0.0.1:8082", "127.0.0.1:" + gatewayPort)
        .replace("127.0.0.1:8000", "127.0.0.1:" + application.getAddress().getPort());
  }

  private static InetAddress loopback(int last) throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, (byte) (last >> 8), (byte) last});
  }

  /** A client with an address of its own. */
  private record ProxyClient(ProxyServer proxy, InetAddress address) {

    static ProxyClient of(ProxyServer proxy) {
      try {
        return new ProxyClient(proxy, loopback(++clients + 1));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    Answer get(String... headers) {
      return send("GET", "", headers);
    }

    Answer send(String method, String body, String... headers) {
      StringBuilder request = new StringBuilder(method + " /some/path?a=b HTTP/1.1\r\n");
      request.append("Host: example.org\r\nConnection: close\r\n");
      request.append("Content-Length: ").append(body.length()).append("\r\n");
      for (String header : headers) {
        request.append(header).append("\r\n");
      }
      request.append("\r\n").append(body);
      try (Socket socket = new Socket(loopback(1), proxy.port(), address, 0)) {
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
        return Answer.parse(
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
      } catch (IOException e) {
        throw new AssertionError(proxy + " does not answer", e);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void limitsEachClient(Proxy kind) {
    ProxyClient client = ProxyClient.of(proxy(kind));
    EnvoyScenario.awaitRoomInMinute();
    RECEIVED.clear();
    for (int i = 1; i <= LIMIT; i++) {
      Answer allowed = client.get();
      assertThat(allowed.status()).as("request %d: %s", i, allowed).isEqualTo(200);
      assertThat(allowed.text()).isEqualTo("application");
      if (kind.addsHeaders) {
        assertThat(allowed.header("RateLimit-Policy")).isEqualTo("\"per-client\";q=10;w=60");
        assertThat(allowed.header("RateLimit"))
            .matches("\"per-client\";r=" + (LIMIT - i) + ";t=[1-9]\\d?");
      } else {
        assertThat(allowed.header("RateLimit")).isNull();
      }
      assertThat(allowed.header("Retry-After")).isNull();
    }

    Answer denied = client.get();
    assertThat(denied.status()).as(denied.toString()).isEqualTo(429);
    assertThat(denied.contentType()).isEqualTo("application/problem+json");
    assertThat(denied.header("RateLimit-Policy")).isEqualTo("\"per-client\";q=10;w=60");
    assertThat(denied.header("Retry-After")).matches("[1-9]\\d?");
    assertThat(denied.header("RateLimit"))
        .isEqualTo("\"per-client\";r=0;t=" + denied.header("Retry-After"));
    assertThat(denied.body())
        .containsEntry("type", "https://iana.org/assignments/http-problem-types#quota-exceeded")
        .containsEntry("status", 429L);
    assertThat(RECEIVED).as("requests that reached the application").hasSize(LIMIT);

    assertThat(ProxyClient.of(client.proxy).get().status()).as("another client").isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void clientsCannotChooseTheirAddress(Proxy kind) {
    ProxyClient client = ProxyClient.of(proxy(kind));
    EnvoyScenario.awaitRoomInMinute();
    int denied = 0;
    for (int i = 0; i <= LIMIT; i++) {
      Answer answer = client.get(
          "X-Forwarded-For: 198.51.100." + i,
          "X-Real-Ip: 198.51.100." + i,
          "Forwarded: for=198.51.100." + i);
      denied += answer.status() == 429 ? 1 : 0;
    }
    assertThat(denied).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void requestsReachTheApplicationUnchanged(Proxy kind) {
    ProxyClient client = ProxyClient.of(proxy(kind));
    RECEIVED.clear();
    assertThat(client.send("POST", "hello").status()).isEqualTo(200);
    assertThat(client.send("DELETE", "").status()).isEqualTo(200);
    assertThat(RECEIVED).containsExactly(new Received("POST", "hello"), new Received("DELETE", ""));
  }

  @ParameterizedTest
  @EnumSource
  void answersWhileRedisDoesNot(Proxy kind) {
    ProxyServer proxy = proxy(kind);
    redis.pause();
    try {
      long began = System.nanoTime();
      assertThat(ProxyClient.of(proxy).get().status()).isEqualTo(200);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(ANSWER_BOUND);
    } finally {
      redis.resume();
    }
  }

  /** Starts the server again once for all proxies, because that takes seconds. */
  @Test
  void killedServerIsUsedAgainAfterItsRestart() {
    List<Proxy> available = available();
    available.forEach(kind ->
        assertThat(ProxyClient.of(proxy(kind)).get().status()).as(kind.name()).isEqualTo(200));
    node.close(); // with SIGKILL
    try {
      available.forEach(kind -> assertThat(ProxyClient.of(proxy(kind)).get().status())
          .as(kind.name())
          .isEqualTo(kind.statusIfKilled));
    } finally {
      startNode();
    }
    available.forEach(kind -> Waiting.untilPassed(Waiting.LONG, () -> {
      Answer answer = ProxyClient.of(proxy(kind)).get();
      assertThat(answer.status()).as(kind.name()).isEqualTo(200);
      assertThat(answer.header("RateLimit") != null).as(kind.name()).isEqualTo(kind.addsHeaders);
    }));
  }

  /** Traefik waits for 30 s, which is too long for a test. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TRAEFIK")
  void serverThatDoesNotAnswerDelaysRequestsByASecond(Proxy kind) {
    ProxyServer proxy = proxy(kind);
    node.signal("STOP");
    try {
      long began = System.nanoTime();
      assertThat(ProxyClient.of(proxy).get().status()).isEqualTo(kind.statusIfPaused);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(ANSWER_BOUND);
    } finally {
      node.signal("CONT");
    }
  }

  /** The proxies that run here. The other tests report the rest. */
  private static List<Proxy> available() {
    List<Proxy> available = new ArrayList<>();
    for (Proxy kind : Proxy.values()) {
      try {
        proxy(kind);
        available.add(kind);
      } catch (TestAbortedException e) {
        // Not here.
      }
    }
    return available;
  }
}
