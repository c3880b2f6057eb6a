package io.tidegate.server;

import static io.tidegate.server.RlsMessages.descriptor;
import static io.tidegate.server.RlsMessages.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The gateway port with TLS, and with certificates of its clients. */
@Timeout(120)
class GatewayTlsTest {

  @TempDir
  private static Path directory;

  private static TestCertificate second;

  @BeforeAll
  static void createCertificates() throws Exception {
    TestCertificate.create(directory, "node").write(file("node.crt"), file("node.key"));
    TestCertificate.create(directory, "envoy").write(file("envoy.crt"), file("envoy.key"));
    TestCertificate.create(directory, "other").write(file("other.crt"), file("other.key"));
    second = TestCertificate.create(directory, "second");
    second.write(file("second.crt"), file("second.key"));
    Files.createDirectory(file("rules"));
    Files.writeString(
        file("rules").resolve("edge.yaml"),
        "domain: edge\ndescriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 3}}]\n");
  }

  private static Path file(String name) {
    return directory.resolve(name);
  }

  private static Node start(String... flags) {
    String[] all = Arrays.copyOf(flags, flags.length + 4);
    all[flags.length] = "--gateway-port=0";
    all[flags.length + 1] = "--rules=" + file("rules");
    all[flags.length + 2] = "--tls-certificate=" + file("node.crt");
    all[flags.length + 3] = "--tls-key=" + file("node.key");
    return Node.start(all);
  }

  /** Trusts a certificate of the node only. */
  private static HttpClientOptions trusting(String certificate) {
    return new HttpClientOptions()
        .setSsl(true)
        .setUseAlpn(true)
        .setTrustOptions(new PemTrustOptions().addCertPath(file(certificate).toString()));
  }

  private static HttpClientOptions presenting(String name) {
    return trusting("node.crt")
        .setKeyCertOptions(new PemKeyCertOptions()
            .addCertPath(file(name + ".crt").toString())
            .addKeyPath(file(name + ".key").toString()));
  }

  private static GrpcClient.Answer ask(int port, HttpClientOptions options) {
    try (GrpcClient client = new GrpcClient(port, options)) {
      return client.ask(request("edge", descriptor("user", "a")));
    }
  }

  @Test
  void callsOverTlsAreAnsweredAndPlainOnesAreNot() {
    try (Node node = start()) {
      assertThat(ask(node.gatewayPort(), trusting("node.crt")).status()).isZero();
      assertThatThrownBy(() ->
              ask(node.gatewayPort(), new HttpClientOptions().setHttp2ClearTextUpgrade(false)))
          .isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void clientsNeedACertificateOfTheConfiguredAuthority() {
    try (Node node = start("--gateway-host=0.0.0.0", "--gateway-client-ca=" + file("envoy.crt"))) {
      assertThat(ask(node.gatewayPort(), presenting("envoy")).status()).isZero();
      assertThatThrownBy(() -> ask(node.gatewayPort(), trusting("node.crt")))
          .isInstanceOf(AssertionError.class);
      assertThatThrownBy(() -> ask(node.gatewayPort(), presenting("other")))
          .isInstanceOf(AssertionError.class);
      assertThat(ask(node.gatewayPort(), presenting("envoy")).status()).isZero();
    }
  }

  @Test
  void theCertificateIsReplacedAndClientsStillNeedTheirs() throws Exception {
    Path certificate = file("replaced.crt");
    Path key = file("replaced.key");
    Files.copy(file("node.crt"), certificate);
    Files.copy(file("node.key"), key);
    try (Node node = Node.start(
        "--gateway-port=0",
        "--rules=" + file("rules"),
        "--tls-certificate=" + certificate,
        "--tls-key=" + key,
        "--gateway-client-ca=" + file("envoy.crt"))) {
      assertThat(ask(node.gatewayPort(), presenting("envoy")).status()).isZero();
      second.write(certificate, key);
      node.reload();
      assertThatThrownBy(() -> ask(node.gatewayPort(), presenting("envoy")))
          .isInstanceOf(AssertionError.class);
      HttpClientOptions trustingSecond = presenting("envoy")
          .setTrustOptions(new PemTrustOptions().addCertPath(file("second.crt").toString()));
      assertThat(ask(node.gatewayPort(), trustingSecond).status()).isZero();
      assertThatThrownBy(() -> ask(node.gatewayPort(), trusting("second.crt")))
          .isInstanceOf(AssertionError.class);
    }
  }
}
