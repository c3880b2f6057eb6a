package io.tidegate.deploy;

import io.tidegate.server.Server;
import io.tidegate.server.config.ServerConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** A server in this JVM, on free ports of the loopback address, that stops without a delay. */
final class RunningNode implements AutoCloseable {

  /** Flags take precedence over the environment. */
  private static final List<String> FLAGS = List.of(
      "--http-host=127.0.0.1",
      "--http-port=0",
      "--admin-host=127.0.0.1",
      "--admin-port=0",
      "--stop-delay=0s");

  private static final String REQUEST =
      "{\"namespace\":\"backup\",\"identifier\":\"x\",\"limit\":1000000,\"duration\":60000}";

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final CompletableFuture<String> firstKey = new CompletableFuture<>();
  private final Server server;

  private RunningNode(Map<String, String> environment, String... flags) {
    CommandSpec serve = CommandSpec.create();
    ServerConfig.declare(serve);
    String[] all = Stream.concat(FLAGS.stream(), Stream.of(flags)).toArray(String[]::new);
    ServerConfig config = ServerConfig.read(new CommandLine(serve).parseArgs(all), environment);
    this.server = Server.start(config, key -> firstKey.complete(key.secret()));
  }

  static RunningNode start(String... flags) {
    return new RunningNode(Map.of(), flags);
  }

  static RunningNode start(Map<String, String> environment) {
    return new RunningNode(environment);
  }

  /** The root key that the node has created in an empty catalog. */
  String firstKey() {
    return firstKey.join();
  }

  /** The status of the answer to a request with a root key: 200, or 401 if it is unknown. */
  int status(String key) {
    return send(HttpRequest.newBuilder(uri(server.httpPort(), "/v2/ratelimit.limit"))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(REQUEST)))
        .statusCode();
  }

  /** The answer of the admin port to a path. */
  HttpResponse<String> admin(String path) {
    return send(HttpRequest.newBuilder(uri(server.adminPort(), path)));
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.stop();
  }
}
