package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node with a certificate, and clients that trust no other. */
@Timeout(120)
class TlsTest {

  @TempDir
  private static Path directory;

  private static SSLContext trust;
  private static NodeProcess node;

  @BeforeAll
  static void start() throws Exception {
    TestCertificate certificate = TestCertificate.create(directory, "node");
    certificate.write(directory.resolve("node.crt"), directory.resolve("node.key"));
    trust = TestCertificate.trust(certificate);
    node = NodeProcess.start(
        "--data=" + directory.resolve("data"),
        "--tls-certificate=" + directory.resolve("node.crt"),
        "--tls-key=" + directory.resolve("node.key"),
        "--stop-delay=0s");
  }

  @AfterAll
  static void stop() {
    node.terminate();
    assertThat(node.exitCode()).as(node::toString).isZero();
    assertThat(node.warnings()).isEmpty();
    node.close();
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void bothHttpVersionsAreSupported(HttpClient.Version version) throws Exception {
    HttpResponse<String> answer = ask(version);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.version()).isEqualTo(version);
    assertThat(answer.body()).contains("\"success\":true");
  }

  private static HttpResponse<String> ask(HttpClient.Version version) throws Exception {
    HttpClient client =
        HttpClient.newBuilder().sslContext(trust).version(version).build();
    return client.send(
        HttpRequest.newBuilder(node.uri("/v2/ratelimit.limit"))
            .header("Authorization", "Bearer " + node.key())
            .header("Content-Type", "application/json")
            .timeout(Client.LONGEST_WAIT)
            .POST(HttpRequest.BodyPublishers.ofString(Client.body("tls", 100, 1)))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void plainTextConnectionIsClosedAndOthersContinue() throws Exception {
    assertThat(node.uri("/").getScheme()).isEqualTo("https");
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), node.uri("/").getPort())) {
      socket.setSoTimeout((int) Client.LONGEST_WAIT.toMillis());
      socket
          .getOutputStream()
          .write(
              "GET /v2/liveness HTTP/1.1\r\nHost: node\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      assertThat(readAll(socket)).doesNotContain("HTTP/");
    }
    assertThat(ask(HttpClient.Version.HTTP_2).statusCode()).isEqualTo(200);
  }

  /** Reads until the connection ends, closed or reset. */
  private static String readAll(Socket socket) throws IOException {
    try {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (SocketException e) {
      return ""; // reset, because of unread data
    }
  }
}
