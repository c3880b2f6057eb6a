package io.tidegate.server;

import io.tidegate.jdbc.Catalog;
import io.tidegate.jdbc.NewRootKey;
import io.tidegate.server.config.ServerConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A server of this JVM, on ports and in a directory of its own, and a client for it. */
final class Node implements AutoCloseable {

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Server server;
  private final Catalog catalog;
  private final NewRootKey firstKey;

  private Node(Server server, Catalog catalog, NewRootKey firstKey) {
    this.server = server;
    this.catalog = catalog;
    this.firstKey = firstKey;
  }

  static Node start(String... flags) {
    try {
      Path data = Files.createTempDirectory("tidegate-node");
      List<String> all = new ArrayList<>(List.of(
          "--data=" + data,
          "--http-host=127.0.0.1",
          "--http-port=0",
          "--admin-port=0",
          "--stop-delay=0s",
          "--event-loops=2"));
      all.addAll(List.of(flags));
      AtomicReference<NewRootKey> firstKey = new AtomicReference<>();
      Server server = Server.start(ServerConfig.of(all.toArray(String[]::new)), firstKey::set);
      return new Node(
          server, Catalog.open(Catalog.urlOfFile(data), null, null, true), firstKey.get());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The secret of the key that may do everything. */
  String key() {
    return firstKey.secret();
  }

  String workspaceId() {
    return firstKey.key().workspaceId();
  }

  /** Edits what the node follows, as the commands do. */
  Catalog catalog() {
    return catalog;
  }

  int port() {
    return server.httpPort();
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.httpPort() + path);
  }

  URI adminUri(String path) {
    return URI.create("http://127.0.0.1:" + server.adminPort() + path);
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
