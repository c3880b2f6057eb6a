package io.tidegate.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The page on loopback: static files, the state as JSON, and actions. Actions need the token in the
 * page, so that no other web site can cause them, and every request needs the Host of this server,
 * so that no other site can read the token by changing its DNS entry.
 */
final class Page implements AutoCloseable {

  /** The port if none is given; a free one if it is taken. */
  static final int DEFAULT_PORT = 8090;

  private static final int MAX_BODY_BYTES = 1_000;

  private static final Map<String, String> FILES = Map.of(
      "/demo.js", "text/javascript; charset=utf-8",
      "/chart.js", "text/javascript; charset=utf-8",
      "/demo.css", "text/css; charset=utf-8");

  private static final String JSON = "application/json";

  private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
      + " connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
      + " frame-ancestors 'none'";

  private final String token = Fleet.randomHex();
  private final ExecutorService threads = Executors.newFixedThreadPool(4, task -> {
    Thread thread = new Thread(task, "demo-page");
    thread.setDaemon(true);
    return thread;
  });
  private final HttpServer server;
  private final Set<String> hosts;
  private final Supplier<Map<String, @Nullable Object>> state;
  private final Actions actions;

  private Page(HttpServer server, Supplier<Map<String, @Nullable Object>> state, Actions actions) {
    this.server = server;
    this.state = state;
    this.actions = actions;
    int port = server.getAddress().getPort();
    this.hosts = Set.of("127.0.0.1:" + port, "localhost:" + port);
  }

  /**
   * Opens the page.
   *
   * @param port the port; null for the default, or a free one if that is taken
   * @throws UncheckedIOException if the port is taken
   */
  static Page open(
      @Nullable Integer port, Supplier<Map<String, @Nullable Object>> state, Actions actions) {
    try {
      Page page = new Page(listen(port), state, actions);
      page.server.setExecutor(page.threads);
      page.server.createContext("/", page::handle);
      page.server.start();
      return page;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on port " + port + ": " + e.getMessage(), e);
    }
  }

  private static HttpServer listen(@Nullable Integer port) throws IOException {
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    if (port != null) {
      return HttpServer.create(new InetSocketAddress(loopback, port), 0);
    }
    try {
      return HttpServer.create(new InetSocketAddress(loopback, DEFAULT_PORT), 0);
    } catch (BindException e) {
      return HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    }
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String host = exchange.getRequestHeaders().getFirst("Host");
      String path = exchange.getRequestURI().getPath();
      if (host == null || !hosts.contains(host)) {
        fail(exchange, 403, "unknown host: " + host);
      } else if (path.equals("/action")) {
        act(exchange, host);
      } else if (!exchange.getRequestMethod().equals("GET")) {
        fail(exchange, 405, "only GET is allowed: " + exchange.getRequestMethod());
      } else if (path.equals("/")) {
        String html = resource("index.html").replace("{{token}}", token);
        answer(exchange, 200, "text/html; charset=utf-8", html);
      } else if (path.equals("/state")) {
        answer(exchange, 200, JSON, Json.write(state.get()));
      } else if (FILES.containsKey(path)) {
        String type = FILES.getOrDefault(path, "");
        answer(exchange, 200, type, resource(path.substring(1)));
      } else {
        fail(exchange, 404, "not found: " + path);
      }
    }
  }

  private void act(HttpExchange exchange, String host) throws IOException {
    String origin = exchange.getRequestHeaders().getFirst("Origin");
    if (!exchange.getRequestMethod().equals("POST")) {
      fail(exchange, 405, "only POST is allowed: " + exchange.getRequestMethod());
    } else if (origin != null && !origin.equals("http://" + host)) {
      fail(exchange, 403, "another origin: " + origin);
    } else if (!token.equals(exchange.getRequestHeaders().getFirst("X-Demo-Token"))) {
      fail(exchange, 403, "the token is missing or of another run; reload the page");
    } else if (!JSON.equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
      fail(exchange, 415, "the content type must be " + JSON);
    } else {
      perform(exchange);
    }
  }

  private void perform(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
    if (body.length > MAX_BODY_BYTES) {
      fail(exchange, 413, "the body is longer than " + MAX_BODY_BYTES + " bytes");
      return;
    }
    try {
      Map<String, @Nullable Object> request = Json.parse(new String(body, StandardCharsets.UTF_8));
      Object region = request.get("region");
      actions.perform(
          Action.of(String.valueOf(request.get("action"))),
          region == null ? null : region.toString());
      answer(exchange, 200, JSON, "{}");
    } catch (IllegalArgumentException e) {
      fail(exchange, 400, String.valueOf(e.getMessage()));
    } catch (IllegalStateException e) {
      fail(exchange, 409, String.valueOf(e.getMessage()));
    }
  }

  private static void fail(HttpExchange exchange, int status, String message) throws IOException {
    answer(exchange, status, JSON, Json.write(Json.object("error", message)));
  }

  private static void answer(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    Map.of(
            "Content-Type", type,
            "Content-Security-Policy", POLICY,
            "X-Content-Type-Options", "nosniff",
            "Referrer-Policy", "no-referrer",
            "Cache-Control", "no-store")
        .forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static String resource(String name) throws IOException {
    try (InputStream file = Page.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IOException("not on the class path: " + name);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }
}
