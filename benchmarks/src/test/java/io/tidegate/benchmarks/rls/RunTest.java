package io.tidegate.benchmarks.rls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.benchmarks.rls.Results.Load;
import io.tidegate.benchmarks.rls.ServerProcess.Kind;
import io.tidegate.benchmarks.rls.Settings.Connections;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Small runs with real servers. */
class RunTest {

  private static final Settings TINY = new Settings(
      true, false, 1, List.of(new Connections(1, 1), Settings.MULTIPLEXED), 1_000, 300, 50, 100);

  /** RateLimitRequest of the domain bench, with the entry user=user_000042. */
  private static final Buffer REQUEST = Buffer.buffer(HexFormat.of()
      .parseHex("000000001e" + "0a0562656e6368" + "12150a13" + "0a0475736572"
          + "120b757365725f303030303432"));

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  @Test
  void everyScenarioIsMeasuredForAllServers() throws IOException {
    try (ServerProcess other = new ServerProcess(Kind.CONSTANT, 1)) {
      Contender started = other.contender();
      Contender against = new Contender("other", started.address(), List.of());
      List<Load> loads = new Run(TINY, List.of(against)).run().loads().rows();
      assertThat(loads.stream().filter(load -> load.scenario().percent() == 0))
          .hasSize(3 * (2 + 8))
          .allSatisfy(load -> assertThat(load.perSecond()).isPositive())
          .allSatisfy(load -> assertThat(load.outcome().cpuSeconds()).isPositive());
      assertThat(loads.stream().filter(load -> load.server().equals(Kind.TIDEGATE.label)))
          .hasSize(2 + 8 + 3)
          .allSatisfy(Load::requireVerdicts)
          .allSatisfy(load -> assertThat(load.cpuMicros()).isNotNaN())
          .anySatisfy(load -> assertThat(load.overLimit()).isPositive());
      assertThat(loads.stream().filter(load -> load.server().equals("other")))
          .allSatisfy(load -> assertThat(load.cpuMicros()).isNaN());
    }
  }

  /** Headers, length and trailers of an answer within the limit are those of Tidegate. */
  @Test
  void theConstantResemblesAnAnswerOfTidegate() throws IOException {
    Answer real = answerOf(Kind.TIDEGATE);
    Answer constant = answerOf(Kind.CONSTANT);
    assertThat(constant.body).isEqualTo(ConstantServer.ANSWER);
    assertThat(constant.headers).isEqualTo(real.headers);
    assertThat(constant.trailers).isEqualTo(real.trailers);
    assertThat(constant.body.length()).isEqualTo(real.body.length());
    // All but the seconds until the reset, at the end.
    int length = real.body.length() - 1;
    assertThat(constant.body.slice(0, length)).isEqualTo(real.body.slice(0, length));
  }

  private record Answer(String headers, Buffer body, String trailers) {

    static Answer of(HttpClientResponse response, Buffer body) {
      return new Answer(text(response.headers()), body, text(response.trailers()));
    }

    private static String text(MultiMap headers) {
      return headers.entries().toString();
    }
  }

  private Answer answerOf(Kind kind) throws IOException {
    try (ServerProcess process = new ServerProcess(kind, 1)) {
      InetSocketAddress address = process.contender().address();
      HttpClient client = vertx.createHttpClient(new HttpClientOptions()
          .setProtocolVersion(HttpVersion.HTTP_2)
          .setHttp2ClearTextUpgrade(false));
      HttpClientRequest call = client
          .request(HttpMethod.POST, address.getPort(), address.getHostString(), CallFrames.PATH)
          .await();
      call.putHeader("content-type", "application/grpc").putHeader("te", "trailers");
      return call.send(REQUEST)
          .compose(response -> response.body().map(body -> Answer.of(response, body)))
          .await();
    }
  }

  @Test
  void aFailedProcessReportsItsError() {
    assertThatThrownBy(() -> new ServerProcess(Kind.CONSTANT, -7))
        .hasMessageContaining("the server failed")
        .hasMessageContaining("IllegalArgumentException");
  }
}
