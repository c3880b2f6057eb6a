package io.tidegate.benchmarks.rls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.benchmarks.load.LoadGenerator;
import io.tidegate.benchmarks.load.LoadGenerator.Order;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.benchmarks.rls.Settings.Message;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GrpcConnectionTest {

  private static final Buffer OVER_LIMIT = message("0802");

  private final List<Buffer> bodies = new CopyOnWriteArrayList<>();
  private final List<Map<String, String>> headers = new CopyOnWriteArrayList<>();
  private final List<GrpcConnection> connections = new ArrayList<>();
  private volatile Buffer answer = ConstantServer.ANSWER;
  private volatile String status = "0";

  /** Differs between answers, so that the table of headers changes. */
  private volatile boolean varyingHeaders;

  private Vertx vertx;
  private HttpServer server;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    HttpServerOptions options = new HttpServerOptions().setHost("127.0.0.1").setPort(0);
    options.getInitialSettings().setMaxConcurrentStreams(20);
    server =
        vertx.createHttpServer(options).requestHandler(this::answer).listen().await();
  }

  private void answer(HttpServerRequest request) {
    Map<String, String> received = new TreeMap<>();
    request.headers().forEach(received::put);
    request.body().onSuccess(body -> {
      bodies.add(body);
      headers.add(received);
      received.put(":path", request.path());
      if (varyingHeaders) {
        request.response().putHeader("x-count", "" + bodies.size() / 3);
      }
      request
          .response()
          .putHeader("content-type", "application/grpc")
          .putTrailer("grpc-status", status)
          .putTrailer("grpc-message", status.equals("0") ? "fine" : "too bad")
          .end(answer);
    });
  }

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  @Test
  void everyCallIsAnsweredAndEveryKeyComesUp() throws IOException {
    Outcome outcome = run(3, 4, new Message(1, false), 100);
    assertThat(outcome.requests()).isEqualTo(100);
    assertThat(outcome.micros().p50()).isPositive();
    assertThat(bodies)
        .hasSize(100)
        .doesNotHaveDuplicates()
        .contains(message(
            "0a0562656e6368" // domain: bench
                + "1215" + "0a13" + "0a0475736572" + "120b" // one entry: user
                + HexFormat.of().formatHex("user_000087".getBytes(StandardCharsets.US_ASCII))));
    assertThat(headers)
        .hasSize(100)
        .allSatisfy(sent -> assertThat(sent)
            .containsEntry(":path", CallFrames.PATH)
            .containsEntry("te", "trailers")
            .containsEntry("content-type", "application/grpc")
            .containsEntry("grpc-timeout", "1S"));
    assertThat(overLimit()).isZero();
  }

  @Test
  void descriptorsCanHaveThreeEntries() throws IOException {
    run(1, 1, new Message(3, true), 1);
    assertThat(bodies.get(0).toString(StandardCharsets.ISO_8859_1))
        .containsSubsequence("bench", "tenant", "acme", "path", "/v1/orders", "limited_user");
  }

  @Test
  void denialsAreCounted() throws IOException {
    answer = OVER_LIMIT;
    run(2, 5, new Message(1, true), 30);
    assertThat(overLimit()).isEqualTo(30);
  }

  @Test
  void answersMayChangeTheTableOfHeaders() throws IOException {
    varyingHeaders = true;
    assertThat(run(1, 4, Message.SIMPLE, 1_000).requests()).isEqualTo(1_000);
  }

  @Test
  void flowControlOfTheServerIsKept() throws IOException {
    assertThat(run(1, 20, Message.SIMPLE, 5_000).requests()).isEqualTo(5_000);
  }

  @Test
  void anErrorFails() {
    status = "13";
    assertThatThrownBy(() -> run(1, 1, Message.SIMPLE, 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("grpc-status: 13")
        .hasMessageContaining("too bad");
  }

  @Test
  void anotherMessageFails() {
    answer = message("0803");
    assertThatThrownBy(() -> run(1, 1, Message.SIMPLE, 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("another message");
  }

  @Test
  void tooManyStreamsFail() {
    assertThatThrownBy(() -> run(1, 21, Message.SIMPLE, 10_000))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("allows 20 streams per connection; 21 are needed");
  }

  private Outcome run(int count, int streams, Message message, int calls) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.actualPort());
    CallFrames frames = new CallFrames("bench", message, 100);
    return LoadGenerator.run(Order.atMost(calls, 10_000), count, () -> {
      GrpcConnection connection = new GrpcConnection(address, streams, frames);
      connections.add(connection);
      return connection;
    });
  }

  private long overLimit() {
    return connections.stream().mapToLong(GrpcConnection::overLimit).sum();
  }

  private static Buffer message(String hex) {
    Buffer content = Buffer.buffer(HexFormat.of().parseHex(hex));
    return Buffer.buffer().appendByte((byte) 0).appendInt(content.length()).appendBuffer(content);
  }
}
