package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose rule files change while it runs. */
@Timeout(180)
class RuleReloadTest {

  @TempDir
  private Path rules;

  @TempDir
  private Path data;

  private void write(String text) throws IOException {
    Files.writeString(rules.resolve("edge.yaml"), text);
  }

  private static String descriptors(int count) {
    StringBuilder text = new StringBuilder("domain: edge\ndescriptors:\n");
    for (int i = 0; i < count; i++) {
      text.append("- {key: k").append(i).append(", rate_limit: {unlimited: true}}\n");
    }
    return text.toString();
  }

  @Test
  void changesErrorsAndSignalsAreShown() throws Exception {
    write(descriptors(1));
    try (NodeProcess node =
        NodeProcess.start("--data=" + data, "--rules=" + rules, "--stop-delay=0s")) {
      assertThat(node.out()).contains("  rules       1 in " + rules);
      assertThat(ready(node)).contains("\"rules\":{\"status\":\"ok\",\"domains\":1,\"rules\":1}");
      assertThat(metric(node, "tidegate_rules")).isEqualTo("1.0");
      assertThat(metric(node, "tidegate_rules_loads_total{result=\"loaded\"}")).isEqualTo("1.0");

      write(descriptors(2));
      node.await("two rules", () -> ready(node).contains("\"rules\":2}"));

      write("domain: edge\ndescriptors:\n- {value: x}\n- {unit: day}\n");
      node.await("an error", () -> ready(node).contains("\"errorCount\":3"));
      assertThat(Client.get(node.adminUri("/ready")).status()).isEqualTo(200);
      assertThat(ready(node))
          .contains("\"status\":\"degraded\",\"domains\":1,\"rules\":2,\"degradedForSeconds\":")
          .contains("\"errors\":[\"edge.yaml:3: descriptor has no key, or an empty one\",");
      assertThat(node.status()).isEqualTo("degraded");
      assertThat(metric(node, "tidegate_rules")).isEqualTo("2.0");
      assertThat(metric(node, "tidegate_rules_rejected")).isEqualTo("1.0");
      assertThat(metric(node, "tidegate_rules_loads_total{result=\"rejected\"}"))
          .isEqualTo("1.0");
      assertThat(Double.parseDouble(metric(node, "tidegate_rules_seconds_since_load")))
          .isPositive();
      assertThat(node.warnings())
          .singleElement()
          .asString()
          .contains(
              "the rule files have errors; the rules loaded before stay in use",
              "errors=3",
              "edge.yaml:3: descriptor has no key, or an empty one");

      node.signal("HUP");
      node.await("another warning", () -> node.warnings().size() == 2);

      write(descriptors(3));
      node.signal("HUP");
      node.await("three rules", () -> ready(node).contains("\"rules\":3}"));
      assertThat(node.status()).isEqualTo("ok");
      assertThat(metric(node, "tidegate_rules_rejected")).isEqualTo("0.0");
      assertThat(node.err()).contains("loaded rules", "rules=3");
      assertThat(node.err()).doesNotContain("nothing to reload");
      node.terminate();
      assertThat(node.exitCode()).isZero();
    }
  }

  private static String ready(NodeProcess node) {
    return Client.get(node.adminUri("/ready")).body();
  }

  private static String metric(NodeProcess node, String name) {
    return Client.get(node.adminUri("/metrics"))
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> line.substring(name.length() + 1))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void nodeDoesNotStartWithInvalidRules() throws Exception {
    write("domain: edge\ndescriptors:\n- {value: x}\n- {value: y}\n");
    try (NodeProcess node = NodeProcess.launch("--data=" + data, "--rules=" + rules)) {
      assertThat(node.exitCode()).isEqualTo(1);
      assertThat(node.err().lines())
          .containsExactly(
              "tidegate: edge.yaml:3: descriptor has no key, or an empty one",
              "tidegate: edge.yaml:4: descriptor has no key, or an empty one");
      assertThat(node.out()).isEmpty();
    }
  }
}
