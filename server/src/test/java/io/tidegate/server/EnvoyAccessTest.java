package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a real Envoy proves that it may ask, as in docs/gateways.md. */
@Timeout(120)
class EnvoyAccessTest {

  private static final String RULES = """
      domain: edge
      descriptors:
        - key: api_key
          rate_limit: {unit: month, requests_per_unit: 3}
      """;

  /** The line that the block with the secret replaces. */
  private static final String SERVICE =
      "                          envoy_grpc: {cluster_name: tidegate}\n";

  /** The line of the cluster that the block for TLS follows. */
  private static final String CLUSTER = "      connect_timeout: 0.25s\n";

  private static final String SECRET = "a-secret-of-the-gateways";

  @TempDir
  private static Path directory;

  private final String key = UUID.randomUUID().toString();

  @BeforeAll
  static void createCertificates() throws Exception {
    EnvoyGateway.requireEnvoy();
    for (String name : List.of("tidegate", "envoy")) {
      TestCertificate.create(directory, name)
          .write(directory.resolve(name + ".crt"), directory.resolve(name + ".key"));
    }
  }

  @Test
  void aGatewayWithTheSecretIsAnswered() {
    try (EnvoyScenario envoy =
        EnvoyScenario.start(RULES, secret(SECRET), "--gateway-secret=" + SECRET)) {
      checkLimit(envoy);
    }
  }

  @Test
  void aGatewayWithAnotherOrNoSecretIsNotAnswered() {
    try (EnvoyScenario wrong =
            EnvoyScenario.start(RULES, secret("wrong"), "--gateway-secret=" + SECRET);
        EnvoyGateway without =
            EnvoyGateway.start(EnvoyConfig.patient(), wrong.node().gatewayPort())) {
      checkNotAnswered(wrong.gateway());
      checkNotAnswered(without);
    }
  }

  private static EnvoyConfig secret(String secret) {
    String service = GatewaysPage.block("envoy-secret.yaml").replace("SECRET", secret);
    return EnvoyConfig.patient().replace(SERVICE, service.indent(26));
  }

  @Test
  void aGatewayWithACertificateIsAnswered() {
    try (EnvoyScenario envoy = EnvoyScenario.start(RULES, tls(), tlsFlags())) {
      checkLimit(envoy);
    }
  }

  @Test
  void aGatewayWithoutACertificateIsNotAnswered() {
    String text = tls().text();
    int begin = text.indexOf("tls_certificates:");
    int end = text.indexOf("validation_context:");
    EnvoyConfig without = new EnvoyConfig(text.substring(0, begin) + text.substring(end));
    try (EnvoyScenario envoy = EnvoyScenario.start(RULES, without, tlsFlags())) {
      checkNotAnswered(envoy.gateway());
    }
  }

  private static EnvoyConfig tls() {
    String socket =
        GatewaysPage.block("envoy-tls.yaml").replace("/etc/envoy", directory.toString());
    return EnvoyConfig.patient().replace(CLUSTER, CLUSTER + socket.indent(6));
  }

  private static String[] tlsFlags() {
    return new String[] {
      "--tls-certificate=" + directory.resolve("tidegate.crt"),
      "--tls-key=" + directory.resolve("tidegate.key"),
      "--gateway-client-ca=" + directory.resolve("envoy.crt")
    };
  }

  private void checkLimit(EnvoyScenario envoy) {
    assertThat(envoy.statuses(4, "/", "x-api-key", key)).containsExactly(200, 200, 200, 429);
    assertThat(envoy.gateway().decisions("error")).isZero();
  }

  private void checkNotAnswered(EnvoyGateway gateway) {
    assertThat(gateway.statuses(4, "/", "x-api-key", key)).containsOnly(200);
    assertThat(gateway.decisions("error")).isEqualTo(4);
  }
}
