package io.tidegate.server;

import static io.tidegate.server.RlsMessages.descriptor;
import static io.tidegate.server.RlsMessages.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.RlsMessages.Response;
import io.tidegate.testkit.Waiting;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that stops while gateways send calls. */
@Timeout(120)
class GatewayStopTest {

  @TempDir
  private Path rules;

  @Test
  void everyCallIsAnsweredUntilThePortIsClosed() throws Exception {
    Files.writeString(
        rules.resolve("edge.yaml"),
        "domain: edge\ndescriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 3}}]\n");
    Node node = Node.start("--gateway-port=0", "--rules=" + rules, "--stop-delay=1s");
    try (GrpcClient client = new GrpcClient(node.gatewayPort())) {
      assertThat(health(client)).isEqualTo(1);
      CompletableFuture<Void> stopped = CompletableFuture.runAsync(node::close);
      Waiting.untilPassed(
          Duration.ofSeconds(30), () -> assertThat(health(client)).isEqualTo(2));
      assertThat(
              Response.of(client.ask(request("edge", descriptor("user", "x")))).code())
          .isEqualTo("OK");
      int answered = 0;
      Throwable refusal = null;
      while (refusal == null) {
        byte[] body = GrpcClient.frame(
            request("edge", descriptor("user", "user " + answered)).toBytes());
        try {
          GrpcClient.Answer answer =
              client.post(GrpcClient.SHOULD_RATE_LIMIT, body, "application/grpc");
          assertThat(Response.of(answer).code()).isEqualTo("OK");
          answered++;
        } catch (AssertionError e) {
          refusal = e;
        }
      }
      assertThat(answered).isPositive();
      assertThat(refusal).hasRootCauseInstanceOf(ConnectException.class);
      GrpcClient.await(stopped);
    }
  }

  /** 1 if the node serves, 2 if not. */
  private static long health(GrpcClient client) {
    Map<Integer, List<Object>> fields =
        Protobuf.parse(client.call(GrpcClient.HEALTH, Protobuf.message()).message());
    return (Long) fields.get(1).get(0);
  }
}
