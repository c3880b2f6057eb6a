package io.tidegate.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.deploy.Manifests.Manifest;
import io.tidegate.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server with the environment and the files of a pod of the chart. */
@Timeout(120)
class PodTest {

  private static Certificate certificate;

  @TempDir
  private Path root;

  @BeforeAll
  static void createCertificate(@TempDir Path directory) {
    certificate = Certificate.create(directory);
  }

  /** Content of the Secrets that the examples of values name. */
  private static Map<String, Map<String, String>> secrets() {
    return Map.of(
        "tidegate-redis", Map.of("uri", "redis://redis:6379"),
        "tidegate-database",
            Map.of("url", "jdbc:mariadb://mysql/limits", "user", "limits", "password", "secret"),
        "tidegate-keys", Map.of("root", "a-root-key-of-this-region"),
        "gateways", Map.of("secret", "a-secret-of-the-gateways"),
        "gateway-ca", Map.of("ca.crt", certificate.certificate()),
        "tidegate-tls", Map.of("tls.crt", certificate.certificate(), "tls.key", certificate.key()));
  }

  private PodFiles pod(Manifests manifests) throws IOException {
    return new PodFiles(root, manifests, secrets());
  }

  @ParameterizedTest
  @ValueSource(strings = {"one-node", "region", "everything"})
  void serverAcceptsTheEnvironment(String values) throws IOException {
    Manifests manifests = Chart.render(Chart.values(values), Map.of());
    assertThat(manifests.container().value("args")).isEqualTo(List.of("serve"));
    Cli.assertAccepted(pod(manifests).environment());
  }

  @Test
  void serverAcceptsAnOpenGatewayPort() throws IOException {
    Manifests manifests = Chart.render(Map.of(
        "replicaCount",
        1,
        "gateway.enabled",
        true,
        "gateway.open",
        true,
        "rules.files.edge\\.yaml",
        rules("a")));
    Cli.assertAccepted(pod(manifests).environment());
  }

  @Test
  void serverAnswersTheProbesAndPrometheus() throws IOException {
    Manifests manifests =
        Chart.render(Chart.values("one-node"), Map.of("serviceMonitor.enabled", true));
    Manifest container = manifests.container();
    List<Manifest> scraped = manifests.only("ServiceMonitor").in("spec").list("endpoints");
    List<Manifest> asked = Stream.concat(
            Stream.of("startupProbe", "livenessProbe", "readinessProbe")
                .map(probe -> container.in(probe, "httpGet")),
            scraped.stream())
        .toList();
    try (RunningNode node = RunningNode.start(pod(manifests).environment())) {
      assertThat(asked).allSatisfy(request -> {
        assertThat(request.text("port")).isEqualTo("admin");
        assertThat(node.admin(request.text("path")).statusCode()).isEqualTo(200);
      });
      String ready = container.in("readinessProbe", "httpGet").text("path");
      assertThat(node.admin(ready).body()).contains("\"ready\":true");
      assertThat(node.admin(scraped.get(0).text("path")).body())
          .contains("tidegate_build_info{node=\"" + PodFiles.POD + "\"");
    }
  }

  @Test
  void changedRulesOfTheConfigMapAreLoadedByARunningNode() throws IOException {
    Map<String, Object> one = Map.of("replicaCount", 1, "rules.files.edge\\.yaml", rules("a"));
    Map<String, Object> two = Map.of("replicaCount", 1, "rules.files.edge\\.yaml", rules("a", "b"));
    PodFiles pod = pod(Chart.render(one));
    try (RunningNode node = RunningNode.start(pod.environment())) {
      assertThat(node.admin("/ready").body()).contains("\"rules\":1}");
      pod.update("rules", Chart.render(two));
      Waiting.await("two rules", () -> node.admin("/ready").body().contains("\"rules\":2}"));
    }
  }

  /** A rule file with a rule for each key; the comma is escaped for Helm. */
  private static String rules(String... keys) {
    StringBuilder text = new StringBuilder("domain: edge\ndescriptors:\n");
    for (String key : keys) {
      text.append("- {key: ").append(key).append("\\, rate_limit: {unlimited: true}}\n");
    }
    return text.toString();
  }
}
