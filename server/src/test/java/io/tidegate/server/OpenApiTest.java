package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidegate.RateLimiter;
import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.rules.RuleSet;
import io.tidegate.server.OpenApi.Operation;
import io.tidegate.server.api.Api;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.log.LogDenials;
import io.tidegate.server.observe.Health;
import io.tidegate.server.observe.Metrics;
import io.tidegate.server.service.LimitService;
import io.tidegate.server.service.OverrideService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code openapi.yaml} is complete, and answers match it. */
class OpenApiTest extends OpenApiScenario {

  // The document itself

  @Test
  void isServed() {
    HttpResponse<String> answer =
        Node.send(HttpRequest.newBuilder(node.uri("/openapi.yaml")).build());
    assertThat(answer.body()).isEqualTo(file());
  }

  @Test
  void allComponentsAreUsedAndAllReferencesResolve() {
    DOCUMENT.references().forEach(DOCUMENT::at);
    Set<String> used = new LinkedHashSet<>(DOCUMENT.references());
    used.add("#/components/securitySchemes/rootKey"); // used by its name
    assertThat(used).containsExactlyInAnyOrderElementsOf(DOCUMENT.components());
  }

  @Test
  void documentsExactlyTheRoutesOfTheServer(@TempDir Path data) throws Exception {
    try (RateLimiter limiter = RateLimiter.builder().build();
        Metrics metrics = new Metrics("test", "eu", "node-1", new Health(InstantSource.system()));
        CatalogFollower catalog = new CatalogFollower(
            Catalog.open(Catalog.urlOfFile(data), null, null, true), null, new Silent())) {
      Api api = Api.of(
          new LimitService(limiter, catalog, () -> RuleSet.EMPTY, LogDenials.OFF),
          new OverrideService(limiter, catalog),
          InstantSource.system());
      assertThat(operations())
          .extracting(operation -> operation.method() + " " + operation.path())
          .containsExactlyInAnyOrderElementsOf(api.endpoints("", metrics.http()).stream()
              .map(endpoint -> endpoint.method() + " " + endpoint.path())
              .toList());
    }
  }

  private static final class Silent implements CatalogFollower.Listener {
    @Override
    public void catalogRead(long version) {}

    @Override
    public void catalogFailed(Throwable failure) {}

    @Override
    public void firstKeyCreated(NewRootKey key) {}
  }

  @ParameterizedTest
  @MethodSource("operations")
  void examplesOfAnswersMatchTheirSchemas(Operation operation) {
    for (int status : DOCUMENT.statuses(operation)) {
      Map<String, Object> contents =
          OpenApi.map(DOCUMENT.response(operation, status).get("content"));
      contents.forEach((type, content) -> {
        Map<String, Object> parts = OpenApi.map(content);
        if (parts.containsKey("examples")) {
          OpenApi.values(OpenApi.map(parts.get("examples")))
              .forEach((name, example) -> assertThat(
                      DOCUMENT.check(OpenApi.map(parts.get("schema")), example))
                  .as(name)
                  .isEmpty());
        }
      });
    }
  }

  // Answers

  @Test
  void answersHaveAllDocumentedFields() {
    Map<String, Object> entry =
        Json.map("namespace", "seen", "identifier", "x", "limit", 1, "duration", 60_000);
    Map<String, Object> second = new LinkedHashMap<>(entry);
    second.put("identifier", "y");
    Map<String, Object> named = Json.map("namespace", "seen", "identifier", "x");
    OpenApi document = new OpenApi(file()); // which has validated nothing yet

    ask(document, "limit", entry);
    ask(document, "setOverride", entry);
    ask(document, "setOverride", second);
    for (int i = 0; i < 3; i++) { // one of them is denied even if a window ends
      ask(document, "limit", entry);
      ask(document, "multiLimit", List.of(entry, entry));
    }
    ask(document, "getOverride", named);
    ask(document, "listOverrides", Json.map("namespace", "seen", "limit", 1));
    ask(document, "deleteOverride", named);
    ask(document, "deleteOverride", named); // an error
    ask(document, "limit", Json.map("more", 1)); // an error with a fix
    check(
        document,
        "liveness",
        Answer.of(Node.send(HttpRequest.newBuilder(node.uri("/v2/liveness")).build())));
    try (Node degraded = Node.start("--redis-uri=redis://127.0.0.1:1")) { // where nothing listens
      check(document, "limit", degraded.ask("limit", Json.write(entry)));
      check(document, "multiLimit", degraded.ask("multiLimit", Json.write(List.of(second))));
    }

    assertThat(document.seen()).containsAll(document.answerProperties());
  }

  private static void ask(OpenApi document, String route, Object body) {
    check(document, route, node.ask(route, Json.write(body)));
  }

  private static void check(OpenApi document, String id, Answer answer) {
    Operation operation = document.operations().stream()
        .filter(candidate -> candidate.id().equals(id))
        .findFirst()
        .orElseThrow();
    assertThat(document.check(
            document.responseSchema(operation, answer.status(), answer.contentType()),
            answer.body()))
        .as(answer.toString())
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("posts")
  void answersOfAThrottledWorkspaceHaveTheDocumentedHeaders(Operation operation) {
    Object body = DOCUMENT.requestExamples(operation).get("request");
    if (body instanceof Map<?, ?>) {
      prepare(operation, body, unlimitedKey);
    }
    assertHeaders(operation, post(operation, body, unlimitedKey), 200);
    assertHeaders(operation, post(operation, body, throttledKey), 429);
  }

  private static void assertHeaders(Operation operation, Answer answer, int status) {
    assertThat(answer.status()).isEqualTo(status);
    OpenApi.map(DOCUMENT.response(operation, status).get("headers"))
        .keySet()
        .forEach(header -> assertThat(answer.header(header)).as(header).matches("\\d+"));
    assertThat(answer.header("Retry-After") != null)
        .isEqualTo(OpenApi.map(DOCUMENT.response(operation, status).get("headers"))
            .containsKey("Retry-After"));
  }

  // Errors

  static Stream<Arguments> errors() {
    return operations().stream()
        .flatMap(operation -> DOCUMENT.statuses(operation).stream()
            .filter(
                status -> status != 200 && status != 500) // needs a defect, or an edit that fails
            .map(status -> arguments(operation, status)));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void everyDocumentedErrorOccurs(Operation operation, int status) throws IOException {
    Object body = DOCUMENT.requestExamples(operation).get("request");
    for (String accept : status == 408
        ? List.of("application/problem+json") // each takes a second
        : List.of("application/json", "application/problem+json")) {
      Answer answer = switch (status) {
        case 400 ->
          accept.endsWith("problem+json")
              ? post(operation, body, " ", "Accept", accept) // an invalid key
              : post(operation, "no object", node.key(), "Accept", accept);
        case 401 -> post(operation, body, "nobody", "Accept", accept);
        case 403 -> post(operation, body, disabledKey, "Accept", accept);
        case 404 -> post(operation, in("rlns_nowhere12", body), node.key(), "Accept", accept);
        case 408 -> sendHalf(operation, accept);
        case 410 -> post(operation, in("deleted", body), node.key(), "Accept", accept);
        case 413 -> Answer.of(hasty.post(operation.path(), " ".repeat(1_001), "Accept", accept));
        case 429 -> post(operation, body, throttledKey, "Accept", accept);
        case 503 ->
          Answer.of(lost.post(
              operation.path(), Json.write(body), "Authorization", "Bearer any", "Accept", accept));
        default -> throw new AssertionError("nothing makes a " + status);
      };
      assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
      assertThat(answer.contentType()).isEqualTo(accept);
      assertThat(answer.error()).containsEntry("status", (long) status);
      assertDocumented(operation, answer);
    }
  }

  /** The same request for another namespace. */
  private static Object in(String namespace, Object body) {
    if (body instanceof List<?> entries) {
      return entries.stream().map(entry -> in(namespace, entry)).toList();
    }
    Map<String, Object> fields = new LinkedHashMap<>(OpenApi.map(body));
    fields.put("namespace", namespace);
    return fields;
  }

  /** Sends half a request and reads the whole answer. */
  private static Answer sendHalf(Operation operation, String accept) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), hasty.port())) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(("POST " + operation.path() + " HTTP/1.1\r\nHost: a\r\nAccept: " + accept
                  + "\r\nContent-Length: 100\r\n\r\n{")
              .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Answer.parse(answer);
    }
  }
}
