package io.tidegate.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.marcnuri.helm.LintResult;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaim;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import io.tidegate.deploy.Manifests.Manifest;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.config.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.CommandSpec;

/** What the chart renders, by the rules of Helm, of Kubernetes and of the server. */
class ChartTest {

  private static final String REDIS = "secrets.values.redis-uri";
  private static final String DATABASE = "secrets.values.jdbc-url";

  /** Settings that neither the chart sets nor its users can: a pod has other means for them. */
  private static final Set<String> LEFT_OUT =
      Set.of("first-root-key-file", "http-host", "test-clock");

  private interface Validator {
    void validate(JsonElement resource) throws IOException;
  }

  private static final Map<String, Validator> KUBERNETES = Map.of(
      "v1 ConfigMap", V1ConfigMap::validateJsonElement,
      "v1 PersistentVolumeClaim", V1PersistentVolumeClaim::validateJsonElement,
      "v1 Secret", V1Secret::validateJsonElement,
      "v1 Service", V1Service::validateJsonElement,
      "apps/v1 Deployment", V1Deployment::validateJsonElement,
      "autoscaling/v2 HorizontalPodAutoscaler", V2HorizontalPodAutoscaler::validateJsonElement,
      "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy::validateJsonElement,
      "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement);

  private static Manifests render(String values) {
    return Chart.render(Chart.values(values), Map.of());
  }

  @Test
  void helmFindsNoProblem() {
    LintResult result = Chart.lint();
    assertThat(result.isFailed()).as(result.getMessages().toString()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"one-node", "region", "everything"})
  void resourcesAreValid(String values) throws IOException {
    Gson gson = new Gson();
    for (Manifest resource : render(values).all()) {
      String type = resource.text("apiVersion") + " " + resource.kind();
      if (!resource.kind().equals("ServiceMonitor")) { // no type of Kubernetes; see below
        assertThat(KUBERNETES).containsKey(type);
        KUBERNETES.get(type).validate(gson.toJsonTree(resource.fields()));
      }
    }
  }

  @Test
  void examplesRenderEveryTemplate() {
    Set<String> kinds = Stream.of("one-node", "region", "everything")
        .flatMap(values -> render(values).all().stream().map(Manifest::kind))
        .collect(Collectors.toSet());
    assertThat(kinds)
        .containsExactlyInAnyOrder(
            "ConfigMap",
            "Deployment",
            "HorizontalPodAutoscaler",
            "NetworkPolicy",
            "PersistentVolumeClaim",
            "PodDisruptionBudget",
            "Secret",
            "Service",
            "ServiceMonitor");
  }

  @Test
  void prometheusScrapesTheAdminServiceOnly() {
    Manifests region = render("region");
    Manifest monitor = region.only("ServiceMonitor");
    assertThat(monitor.text("apiVersion")).isEqualTo("monitoring.coreos.com/v1");
    assertThat(monitor.in("metadata", "labels").text("release")).isEqualTo("prometheus");
    assertThat(monitor.in("spec").fields().keySet().toString())
        .isEqualTo("[jobLabel, selector, endpoints]");
    assertThat(monitor.in("spec").value("endpoints"))
        .isEqualTo(List.of(Map.of("port", "admin", "path", "/metrics", "interval", "15s")));
    Set<?> selected = monitor.in("spec", "selector", "matchLabels").fields().entrySet();
    assertThat(region.ofKind("Service"))
        .filteredOn(
            service -> service.in("metadata", "labels").fields().entrySet().containsAll(selected))
        .extracting(Manifest::name)
        .containsExactly("limits-tidegate-admin");
  }

  /** Ports of services, probes and policies are names of ports of the container. */
  @ParameterizedTest
  @ValueSource(strings = {"one-node", "region", "everything"})
  void portsAreThoseOfTheServer(String values) {
    Manifests rendered = render(values);
    Manifest container = rendered.container();
    List<Manifest> ports = container.list("ports");
    for (Manifest port : ports) {
      String variable = "TIDEGATE_" + port.text("name").toUpperCase(Locale.ROOT) + "_PORT";
      assertThat(container.named("env", variable).text("value"))
          .isEqualTo(port.text("containerPort"));
    }
    Set<String> names = ports.stream().map(port -> port.text("name")).collect(Collectors.toSet());
    Set<String> used = new HashSet<>();
    rendered
        .ofKind("Service")
        .forEach(service ->
            service.in("spec").list("ports").forEach(port -> used.add(port.text("targetPort"))));
    rendered
        .ofKind("NetworkPolicy")
        .forEach(policy -> policy
            .in("spec")
            .list("ingress")
            .forEach(rule -> rule.list("ports").forEach(port -> used.add(port.text("port")))));
    assertThat(used).isEqualTo(names);
    assertThat(rendered.named("Service", "limits-tidegate").in("spec").list("ports"))
        .extracting(port -> port.text("targetPort"))
        .contains("http")
        .doesNotContain("admin");
  }

  @ParameterizedTest
  @ValueSource(strings = {"one-node", "region", "everything"})
  void everyResourceSelectsThePod(String values) {
    Manifests rendered = render(values);
    Set<?> labels = rendered.podTemplate().in("metadata", "labels").fields().entrySet();
    Manifest deployment = rendered.only("Deployment");
    Stream<Manifest> selectors = Stream.of(
            Stream.of(deployment.in("spec", "selector", "matchLabels")),
            rendered.ofKind("Service").stream().map(service -> service.in("spec", "selector")),
            rendered.ofKind("PodDisruptionBudget").stream()
                .map(budget -> budget.in("spec", "selector", "matchLabels")),
            rendered.ofKind("NetworkPolicy").stream()
                .map(policy -> policy.in("spec", "podSelector", "matchLabels")),
            rendered.podTemplate().in("spec").list("topologySpreadConstraints").stream()
                .map(constraint -> constraint.in("labelSelector", "matchLabels")))
        .flatMap(found -> found);
    assertThat(selectors.map(selector -> selector.fields().entrySet()).toList())
        .hasSizeGreaterThan(5)
        .allMatch(labels::containsAll);
    assertThat(rendered.ofKind("HorizontalPodAutoscaler"))
        .allMatch(
            scaler -> scaler.in("spec", "scaleTargetRef").text("name").equals(deployment.name()));
  }

  @Test
  void autoscalerSetsTheNumberOfNodes() {
    assertThat(render("region").only("Deployment").in("spec").has("replicas")).isFalse();
    assertThat(render("everything").only("Deployment").in("spec").number("replicas"))
        .isEqualTo(3);
  }

  /** 15 s for what follows stop-timeout: open connections, Redis, the database, the catalog. */
  @ParameterizedTest
  @ValueSource(strings = {"one-node", "region", "everything"})
  void gracePeriodCoversTheShutdown(String values) {
    Manifests rendered = render(values);
    Manifest container = rendered.container();
    int sleep = container.has("lifecycle")
        ? container.in("lifecycle", "preStop", "sleep").number("seconds")
        : 0;
    int stop = Stream.of("TIDEGATE_STOP_DELAY", "TIDEGATE_STOP_TIMEOUT")
        .map(name -> container.named("env", name).text("value").replace("s", ""))
        .mapToInt(Integer::parseInt)
        .sum();
    assertThat(rendered.podTemplate().in("spec").number("terminationGracePeriodSeconds"))
        .isEqualTo(sleep + stop + 15);
  }

  @Test
  void changedRulesRestartNothing() {
    Map<String, Object> changed = Map.of("rules.files.edge\\.yaml", "domain: other");
    Manifests upgraded = Chart.render(Chart.values("everything"), changed);
    assertThat(upgraded.only("ConfigMap")).isNotEqualTo(render("everything").only("ConfigMap"));
    assertThat(upgraded.podTemplate()).isEqualTo(render("everything").podTemplate());
  }

  @Test
  void changedSecretRestartsTheNodes() {
    Manifests upgraded =
        Chart.render(Chart.values("everything"), Map.of("secrets.values.jdbc-password", "new"));
    assertThat(upgraded.podTemplate()).isNotEqualTo(render("everything").podTemplate());
  }

  @Test
  void secretsAreInNoOtherResource() {
    Manifests rendered = render("everything");
    Collection<?> secrets = rendered.only("Secret").in("stringData").fields().values();
    assertThat(secrets).hasSize(6);
    String others = rendered.all().stream()
        .filter(resource -> !resource.kind().equals("Secret"))
        .map(resource -> resource.fields().toString())
        .collect(Collectors.joining());
    assertThat(secrets)
        .filteredOn(secret -> !secret.equals("tidegate")) // the database user
        .allSatisfy(secret -> assertThat(others).doesNotContain((String) secret));
  }

  @Test
  void versionIsThatOfTheServer() throws IOException {
    Manifest chart = Manifests.parse(Files.readString(Chart.FOLDER.resolve("Chart.yaml")))
        .all()
        .get(0);
    assertThat(chart.text("appVersion")).isEqualTo(Version.TEXT);
  }

  /** Each setting is a value of the chart, a secret, or set by the chart, and no two of these. */
  @Test
  void settingsAreThoseOfTheServer() throws IOException {
    CommandSpec serve = CommandSpec.create();
    ServerConfig.declare(serve);
    List<String> ofServer = serve.options().stream()
        .map(option -> option.longestName().substring(2))
        .sorted()
        .toList();
    JsonElement schema =
        JsonParser.parseString(Files.readString(Chart.FOLDER.resolve("values.schema.json")));
    Set<String> values = properties(schema, "settings");
    Set<String> secrets = properties(schema, "secrets", "values");
    assertThat(properties(schema, "secrets", "existing")).isEqualTo(secrets);
    Set<String> all = new TreeSet<>(values);
    all.addAll(secrets);
    Set<String> setByChart = Stream.of("one-node", "everything")
        .flatMap(example -> render(example).container().list("env").stream())
        .map(variable -> variable.text("name"))
        .filter(name -> name.startsWith("TIDEGATE_"))
        .map(name ->
            name.substring("TIDEGATE_".length()).toLowerCase(Locale.ROOT).replace('_', '-'))
        .filter(setting -> !all.contains(setting))
        .collect(Collectors.toSet());
    // gateway.open excludes the secret of the example that has everything.
    setByChart.add("gateway-open");
    assertThat(values).doesNotContainAnyElementsOf(secrets);
    all.addAll(setByChart);
    all.addAll(LEFT_OUT);
    assertThat(all).containsExactlyElementsOf(ofServer);
  }

  private static Set<String> properties(JsonElement schema, String... path) {
    JsonElement found = schema;
    for (String key : path) {
      found = found.getAsJsonObject().getAsJsonObject("properties").get(key);
    }
    return new TreeSet<>(found.getAsJsonObject().getAsJsonObject("properties").keySet());
  }

  static Stream<Arguments> nonsense() {
    Map<String, Object> region =
        Map.of("region", "eu", REDIS, "redis://r", DATABASE, "jdbc:mariadb://d/t");
    Map<String, Object> one = Map.of("replicaCount", 1);
    return Stream.of(
        Arguments.of(Map.of(), "replicaCount is 2, but without jdbc-url every pod has a catalog"),
        Arguments.of(
            Map.of("region", "eu", DATABASE, "x"),
            "replicaCount is 2, but without redis-uri every pod counts alone"),
        Arguments.of(Map.of("region", "eu", REDIS, "x"), "replicaCount is 2, but without jdbc-url"),
        Arguments.of(
            with(one, "autoscaling.enabled", true),
            "autoscaling.enabled is true, but without jdbc-url"),
        Arguments.of(with(region, "region", ""), "jdbc-url needs region"),
        Arguments.of(
            with(region, "persistence.enabled", true), "persistence has no effect with jdbc-url"),
        Arguments.of(with(one, "secrets.values.jdbc-user", "u"), "jdbc-user needs jdbc-url"),
        Arguments.of(
            with(
                with(region, "secrets.existing.jdbc-url.name", "n"),
                "secrets.existing.jdbc-url.key",
                "k"),
            "jdbc-url is in both"),
        Arguments.of(with(one, "gateway.enabled", true), "gateway.enabled needs gateway-secret"),
        Arguments.of(with(one, "gateway.enabled", true), "gateway.enabled needs rules"),
        Arguments.of(with(one, "gateway.open", true), "need gateway.enabled"),
        Arguments.of(with(one, "settings.shadow-mode", true), "shadow-mode needs gateway.enabled"),
        Arguments.of(
            with(with(one, "gateway.enabled", true), "gateway.clientCaSecret", "ca"),
            "gateway.clientCaSecret needs tls.existingSecret"),
        Arguments.of(
            Map.of("gateway.enabled", true, "gateway.open", true, "gateway.clientCaSecret", "ca"),
            "gateway.open cannot be combined"),
        Arguments.of(
            Map.of("rules.existingConfigMap", "mine", "rules.files.a\\.yaml", "domain: a"),
            "rules.files cannot be combined"),
        Arguments.of(
            with(region, "autoscaling.minReplicas", 11),
            "autoscaling.minReplicas is 11, more than maxReplicas, which is 10"),
        Arguments.of(with(one, "settings.max-serie", 1), "max-serie"),
        Arguments.of(with(one, "settings.test-clock", true), "test-clock"),
        Arguments.of(with(one, "settings.max-series", "many"), "max-series"),
        Arguments.of(with(one, "rules.files.edge\\.yml\\.bak", "x"), "edge.yml.bak"),
        Arguments.of(with(one, "region", "r".repeat(49)), "region"));
  }

  private static Map<String, Object> with(Map<String, Object> values, String key, Object value) {
    return Stream.concat(
            values.entrySet().stream().filter(entry -> !entry.getKey().equals(key)),
            Stream.of(Map.entry(key, value)))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void valuesThatCannotWorkAreRejected(Map<String, Object> values, String message) {
    assertThatThrownBy(() -> Chart.render(values)).hasMessageContaining(message);
  }
}
