package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shutdown of a node. */
@Timeout(60)
class StopTest {

  private static final String BODY =
      "{\"namespace\":\"demo\",\"identifier\":\"u\",\"limit\":100,\"duration\":60000}";

  @Test
  void stoppingNodeIsNotReadyAndStillAnswers() throws Exception {
    Node node = Node.start("--stop-delay=3s");
    CompletableFuture<Void> stopped = CompletableFuture.runAsync(node::close);
    while (ready(node) == 200) {
      Thread.onSpinWait();
    }
    var answer = node.post("/v2/ratelimit.limit", BODY);
    assertThat(ready(node)).isEqualTo(503);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("connection")).hasValue("close");
    stopped.get(30, TimeUnit.SECONDS);
  }

  private static int ready(Node node) {
    return Node.send(HttpRequest.newBuilder(node.adminUri("/ready")).build()).statusCode();
  }

  @Test
  void openRequestsAreAnsweredAndNewConnectionsAreRejected() throws Exception {
    Node node = Node.start();
    try (Socket halfway = new Socket(InetAddress.getLoopbackAddress(), node.port());
        Socket idle = new Socket(InetAddress.getLoopbackAddress(), node.port())) {
      assertThat(ask(idle, node, BODY)).startsWith("HTTP/1.1 200");
      send(halfway, head(node, BODY) + BODY.substring(0, 10));
      assertThat(ask(idle, node, BODY))
          .startsWith("HTTP/1.1 200"); // after the node has read the first half
      CompletableFuture<Void> stopped = CompletableFuture.runAsync(node::close);
      assertThat(isClosed(idle)).isTrue();
      while (acceptsConnections(node)) {
        Thread.onSpinWait();
      }
      assertThat(stopped).isNotDone();
      send(halfway, BODY.substring(10));
      assertThat(read(halfway)).startsWith("HTTP/1.1 200").contains("connection: close");
      stopped.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void unfinishedRequestsDelayTheStopForABoundedTime() throws Exception {
    Node node = Node.start("--stop-timeout=1s");
    try (Socket halfway = new Socket(InetAddress.getLoopbackAddress(), node.port())) {
      send(halfway, head(node, BODY) + BODY.substring(0, 10));
      node.close();
      assertThat(isClosed(halfway)).isTrue();
    }
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() == -1;
    } catch (SocketException e) {
      return true; // reset, because of unread data
    }
  }

  private static boolean acceptsConnections(Node node) throws IOException {
    try {
      new Socket(InetAddress.getLoopbackAddress(), node.port()).close();
      return true;
    } catch (ConnectException e) {
      return false;
    }
  }

  private static String ask(Socket socket, Node node, String body) throws IOException {
    send(socket, head(node, body) + body);
    return read(socket);
  }

  private static String head(Node node, String body) {
    return "POST /v2/ratelimit.limit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Authorization: Bearer " + node.key() + "\r\nContent-Length: " + body.length()
        + "\r\n\r\n";
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  /** Reads one response, up to the brace that ends its body. */
  private static String read(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder answer = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      answer.append((char) c);
      if (answer.toString().endsWith("}}")) {
        break;
      }
    }
    return answer.toString();
  }
}
