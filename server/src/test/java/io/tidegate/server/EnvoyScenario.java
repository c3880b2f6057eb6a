package io.tidegate.server;

import io.tidegate.testkit.RedisServer;
import io.tidegate.testkit.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** A node with rules and a Redis, behind a real Envoy. */
final class EnvoyScenario implements AutoCloseable {

  private final Path rules;
  private final RedisServer redis = RedisServer.start();
  private final Node node;
  private final EnvoyGateway gateway;

  private EnvoyScenario(String rules, EnvoyConfig config, String... flags) {
    try {
      this.rules = Files.createTempDirectory("tidegate-rules");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    writeRules(rules);
    List<String> all = new ArrayList<>(
        List.of("--redis-uri=" + redis.uri(), "--gateway-port=0", "--rules=" + this.rules));
    all.addAll(List.of(flags));
    node = Node.start(all.toArray(String[]::new));
    gateway = EnvoyGateway.start(config, node.gatewayPort());
  }

  /** Starts all parts, or skips the test if there is no Envoy. */
  static EnvoyScenario start(String rules, EnvoyConfig config, String... flags) {
    EnvoyGateway.requireEnvoy();
    return new EnvoyScenario(rules, config, flags);
  }

  /** Replaces the file of the rules in one step, as editors and deployments do. */
  void writeRules(String text) {
    try {
      Path temporary = Files.writeString(rules.resolve("edge.yaml.new"), text);
      Files.move(temporary, rules.resolve("edge.yaml"), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits for the next minute if the current one ends soon. When a window ends, a part of it stops
   * counting, and a test that counts requests would see one more.
   */
  static void awaitRoomInMinute() {
    Waiting.await("a new minute", () -> System.currentTimeMillis() % 60_000 < 55_000);
  }

  HttpResponse<String> get(String path, String... headers) {
    return gateway.get(path, headers);
  }

  /** The status of equal requests, one after another. */
  List<Integer> statuses(int count, String path, String... headers) {
    return gateway.statuses(count, path, headers);
  }

  /** The metrics of the node. */
  String metrics() {
    return admin("/metrics");
  }

  /** The readiness of the node and its parts. */
  String ready() {
    return admin("/ready");
  }

  private String admin(String path) {
    return Node.send(HttpRequest.newBuilder(node.adminUri(path)).build()).body();
  }

  RedisServer redis() {
    return redis;
  }

  EnvoyGateway gateway() {
    return gateway;
  }

  Node node() {
    return node;
  }

  @Override
  public void close() {
    gateway.close();
    node.close();
    redis.close();
  }
}
