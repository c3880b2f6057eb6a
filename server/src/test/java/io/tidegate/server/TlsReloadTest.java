package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose certificate is replaced, as Kubernetes replaces a mounted secret. */
@Timeout(180)
class TlsReloadTest {

  /** More than the event loops, so that each of them gets connections. */
  private static final int CONNECTIONS = 8;

  @TempDir
  private static Path keys;

  private static TestCertificate first;
  private static TestCertificate second;
  private static SSLContext trust;

  @TempDir
  private Path secret;

  @TempDir
  private Path data;

  private NodeProcess node;

  @BeforeAll
  static void createCertificates() throws Exception {
    first = TestCertificate.create(keys, "first");
    second = TestCertificate.create(keys, "second");
    trust = TestCertificate.trust(first, second);
  }

  @BeforeEach
  void start() throws Exception {
    Files.createSymbolicLink(secret.resolve("tls.crt"), Path.of("..data", "tls.crt"));
    Files.createSymbolicLink(secret.resolve("tls.key"), Path.of("..data", "tls.key"));
    mount(first);
    node = NodeProcess.start(
        "--data=" + data,
        "--tls-certificate=" + secret.resolve("tls.crt"),
        "--tls-key=" + secret.resolve("tls.key"),
        "--stop-delay=0s");
  }

  @AfterEach
  void stop() {
    node.terminate();
    assertThat(node.exitCode()).as(node::toString).isZero();
    node.close();
  }

  /** Writes a new directory and atomically replaces the link to it. */
  private void mount(TestCertificate certificate) throws Exception {
    Path version = Files.createTempDirectory(secret, "..version");
    certificate.write(version.resolve("tls.crt"), version.resolve("tls.key"));
    Path link = Files.createSymbolicLink(secret.resolve("..data_tmp"), version.getFileName());
    Files.move(link, secret.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
  }

  private SSLSocket connect() throws IOException {
    SSLSocket socket = (SSLSocket)
        trust.getSocketFactory().createSocket("127.0.0.1", node.uri("/").getPort());
    socket.setSoTimeout((int) Client.LONGEST_WAIT.toMillis());
    socket.startHandshake();
    return socket;
  }

  private static Certificate certificate(SSLSocket socket) throws IOException {
    return socket.getSession().getPeerCertificates()[0];
  }

  /** Whether the node presents this certificate on all new connections. */
  private boolean presents(TestCertificate certificate) {
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        try (SSLSocket socket = connect()) {
          if (!certificate(socket).equals(certificate.certificate())) {
            return false;
          }
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String ask(SSLSocket socket) throws IOException {
    socket
        .getOutputStream()
        .write(
            "GET /v2/liveness HTTP/1.1\r\nHost: node\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    InputStream in = socket.getInputStream();
    StringBuilder answer = new StringBuilder();
    while (answer.indexOf("}}") < 0) {
      int c = in.read();
      assertThat(c).as(answer::toString).isNotNegative();
      answer.append((char) c);
    }
    return answer.toString();
  }

  @Test
  void signalReplacesTheCertificateAndKeepsConnections() throws Exception {
    try (SSLSocket old = connect()) {
      assertThat(certificate(old)).isEqualTo(first.certificate());
      assertThat(ask(old)).startsWith("HTTP/1.1 200");
      mount(second);
      node.signal("HUP");
      node.await("the second certificate", () -> presents(second));
      assertThat(ask(old)).startsWith("HTTP/1.1 200");
    }
    assertThat(versionOfAnswer()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(node.warnings()).isEmpty();
  }

  private HttpClient.Version versionOfAnswer() throws Exception {
    return HttpClient.newBuilder()
        .sslContext(trust)
        .build()
        .send(
            HttpRequest.newBuilder(node.uri("/v2/liveness"))
                .timeout(Client.LONGEST_WAIT)
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .version();
  }

  @Test
  void replacedCertificateIsServedWithoutASignal() throws Exception {
    assertThat(presents(first)).isTrue();
    mount(second);
    node.await("the second certificate", () -> presents(second));
    assertThat(node.warnings()).isEmpty();
  }

  @Test
  void invalidCertificateIsLoggedAndTheOldOneStays() throws Exception {
    mount(new TestCertificate(second.certificate(), first.key()));
    node.signal("HUP");
    node.await(
        "a warning",
        () -> node.warnings().stream()
            .anyMatch(line -> line.contains("serving the old one")
                && line.contains("tls-key must be the file of the private key of tls-certificate")
                && line.contains(secret.resolve("tls.key").toString())));
    Files.delete(secret.resolve("..data"));
    node.signal("HUP");
    node.await(
        "another warning",
        () -> node.warnings().stream()
            .anyMatch(line -> line.contains("serving the old one")
                && line.contains("tls-certificate must be a readable file")));
    assertThat(presents(first)).isTrue();
    mount(second);
    node.signal("HUP");
    node.await("the second certificate", () -> presents(second));
  }
}
