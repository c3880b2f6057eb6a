package io.tidegate.server;

import static io.tidegate.server.RlsMessages.descriptor;
import static io.tidegate.server.RlsMessages.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.RlsMessages.Response;
import io.tidegate.testkit.RedisServer;
import io.tidegate.testkit.Waiting;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls with a timeout while Redis does not answer. */
@Timeout(120)
class GatewayDeadlineTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  /** Envoy's default. */
  private static final Duration TIMEOUT = Duration.ofMillis(20);

  /** The limiter waits 300 ms for Redis unless a caller has less time. */
  private static final Duration OWN_WAIT = Duration.ofMillis(250);

  @TempDir
  private Path rules;

  private RedisServer redis;
  private Node node;
  private GrpcClient client;
  private int asked;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(
        rules.resolve("edge.yaml"),
        "domain: edge\ndescriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 3}}]\n");
    redis = RedisServer.start();
    node = Node.start("--gateway-port=0", "--rules=" + rules, "--redis-uri=" + redis.uri());
    client = new GrpcClient(node.gatewayPort());
  }

  @AfterEach
  void stop() {
    client.close();
    node.close();
    redis.close();
  }

  /** Asks for an identifier that needs a read of Redis; returns the time to the answer. */
  private Duration ask(String... headers) {
    Protobuf request = request("edge", descriptor("user", "user " + asked++));
    long began = System.nanoTime();
    GrpcClient.Answer answer = client.ask(request, headers);
    Duration elapsed = Duration.ofNanos(System.nanoTime() - began);
    assertThat(Response.of(answer).statuses().get(0).remaining()).isEqualTo(2);
    return elapsed;
  }

  private double degraded() {
    String name =
        "tidegate_ratelimit_degraded_decisions_total{namespace=\"user\",workspace_id=\"edge\"} ";
    return Node.send(HttpRequest.newBuilder(node.adminUri("/metrics")).build())
        .body()
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .sum();
  }

  /** Pauses Redis right after it has answered, so that the limiter still expects it to answer. */
  private void pauseRedis() {
    Waiting.untilPassed(LONG, () -> {
      double before = degraded();
      ask();
      assertThat(degraded()).isEqualTo(before);
    });
    redis.pause();
  }

  @Test
  void anAnswerFromMemoryComesBeforeTheTimeout() {
    for (int i = 0; i < 200; i++) { // until the code is warm
      ask("grpc-timeout", "20m");
    }
    Duration shortest = LONG;
    for (int round = 0; round < 10 && shortest.compareTo(TIMEOUT) > 0; round++) {
      redis.resume();
      pauseRedis();
      double before = degraded();
      Duration elapsed = ask("grpc-timeout", "20m");
      assertThat(degraded()).isEqualTo(before + 1);
      assertThat(elapsed).isLessThan(OWN_WAIT);
      shortest = elapsed.compareTo(shortest) < 0 ? elapsed : shortest;
    }
    System.out.println("answered in " + shortest.toMillis() + " ms while Redis is paused");
    assertThat(shortest).isLessThanOrEqualTo(TIMEOUT);
  }

  @Test
  void aCallWithoutATimeoutWaitsForRedisAsOthersDo() {
    pauseRedis();
    assertThat(ask()).isGreaterThan(OWN_WAIT);
  }
}
