package io.tidegate.server;

import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.testkit.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A server in this JVM, on free ports and with its own directory, and a client for it. */
final class Node implements AutoCloseable {

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** Far longer than a node takes to read a change of the catalog; other tests check that time. */
  private static final Duration CATALOG_DELAY_BOUND = Duration.ofSeconds(20);

  private final Server server;
  private final Catalog catalog;

  /** Null if another node created the catalog, or it is not available. */
  private final @Nullable NewRootKey firstKey;

  private Node(Server server, Catalog catalog, @Nullable NewRootKey firstKey) {
    this.server = server;
    this.catalog = catalog;
    this.firstKey = firstKey;
  }

  static Node start(String... flags) {
    try {
      Path data = Files.createTempDirectory("tidegate-node");
      List<String> all = new ArrayList<>(List.of(flags));
      for (String usual : List.of(
          "--http-host=127.0.0.1",
          "--http-port=0",
          "--admin-port=0",
          "--stop-delay=0s",
          "--event-loops=2",
          "--data=" + data)) {
        String name = usual.substring(0, usual.indexOf('=') + 1);
        boolean given = all.stream()
            .anyMatch(flag -> flag.startsWith(name)
                || (name.equals("--data=") && flag.startsWith("--jdbc-url=")));
        if (!given) {
          all.add(usual);
        }
      }
      AtomicReference<NewRootKey> firstKey = new AtomicReference<>();
      ServerConfig config = ServerConfig.of(all.toArray(String[]::new));
      Server server = Server.start(config, firstKey::set);
      return new Node(
          server, Catalog.open(config.catalog().url(), null, null, true), firstKey.get());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Starts a node with rules in the domain that its first workspace can name.
   *
   * @param descriptors the {@code descriptors} of the rule file
   */
  static Node startWithRules(String descriptors, String... flags) {
    try {
      Path rules = Files.createTempDirectory("tidegate-rules");
      Files.writeString(rules.resolve("other.yaml"), "domain: other\ndescriptors:\n" + descriptors);
      List<String> all = new ArrayList<>(List.of(flags));
      all.add("--rules=" + rules);
      Node node = start(all.toArray(String[]::new));
      Files.writeString(
          rules.resolve("workspace.yaml"),
          "domain: " + node.workspaceId() + "\ndescriptors:\n" + descriptors);
      node.server.reload();
      return node;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The first root key, if this node created the catalog. */
  String key() {
    return Objects.requireNonNull(firstKey).secret();
  }

  String workspaceId() {
    return Objects.requireNonNull(firstKey).key().workspaceId();
  }

  /** Creates a key of the first workspace; returns its secret after the node has read it. */
  String newKey(String... permissions) {
    return newKeyOf(workspaceId(), permissions);
  }

  /** Creates a key of a workspace; returns its secret after the node has read it. */
  String newKeyOf(String workspaceId, String... permissions) {
    try {
      String secret =
          catalog.createKey(workspaceId, "test", Set.of(permissions)).secret();
      Waiting.untilPassed(CATALOG_DELAY_BOUND, () -> {
        Answer answer =
            askAs(secret, "getOverride", Json.object("namespace", "?", "identifier", "?"));
        if (answer.status() == 401) {
          throw new AssertionError("the node has not read the new key");
        }
      });
      return secret;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Posts to a route, such as {@code limit}, with the first key. */
  Answer ask(String route, String body) {
    return askAs(key(), route, body);
  }

  /** Posts to a route with this key and optional further headers. */
  Answer askAs(String key, String route, String body, String... headers) {
    List<String> all = new ArrayList<>(List.of("Authorization", "Bearer " + key));
    all.addAll(List.of(headers));
    return Answer.of(post("/v2/ratelimit." + route, body, all.toArray(String[]::new)));
  }

  /** The catalog of the node, to edit it as commands do. */
  Catalog catalog() {
    return catalog;
  }

  int port() {
    return server.httpPort();
  }

  int gatewayPort() {
    return server.gatewayPort();
  }

  URI gatewayUri(String path) {
    return URI.create("http://127.0.0.1:" + server.gatewayPort() + path);
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.httpPort() + path);
  }

  URI adminUri(String path) {
    return URI.create("http://127.0.0.1:" + server.adminPort() + path);
  }

  /** Reloads what a signal reloads. */
  void reload() {
    server.reload();
  }

  /** Posts JSON with the first key. */
  HttpResponse<String> post(String path, String body) {
    return post(path, body, "Authorization", "Bearer " + key());
  }

  /** Posts JSON with these headers. */
  HttpResponse<String> post(String path, String body, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  static HttpResponse<String> send(HttpRequest request) {
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(request + " failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    catalog.close();
    server.stop();
  }
}
