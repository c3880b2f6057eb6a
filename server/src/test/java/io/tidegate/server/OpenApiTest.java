package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidegate.RateLimiter;
import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.OpenApi.Operation;
import io.tidegate.server.api.Api;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.log.LogDenials;
import io.tidegate.server.observe.Health;
import io.tidegate.server.observe.Metrics;
import io.tidegate.server.service.LimitService;
import io.tidegate.server.service.OverrideService;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server behaves as {@code openapi.yaml} describes, at every bound. */
class OpenApiTest {

  private static final OpenApi DOCUMENT = new OpenApi(file());

  /** The bound of times before and after 1970, in milliseconds. */
  private static final long MAX_TIME = 1_000_000_000_000_000L;

  /** One character of two UTF-16 units. */
  private static final String WIDE = "\uD83C\uDF0A";

  private static Node node;

  /** A node with a short request timeout and a low maximum body length. */
  private static Node hasty;

  /** A node that has never reached its database. */
  private static Node lost;

  private static String disabledKey;
  private static String throttledKey;
  private static String unlimitedKey;

  private static String file() {
    try (InputStream file = OpenApiTest.class.getResourceAsStream("openapi.yaml")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeAll
  static void start() throws SQLException {
    node = Node.start("--test-clock");
    hasty = Node.start("--request-timeout=200ms", "--max-body-bytes=1000");
    lost = Node.start("--jdbc-url=jdbc:mariadb://127.0.0.1:1/nowhere", "--region=test");
    NewRootKey disabled = node.catalog().createKey(node.workspaceId(), "disabled", Set.of());
    node.catalog().setKeyEnabled(disabled.key().id(), false);
    disabledKey = disabled.secret();
    throttledKey = node.catalog()
        .createKey(node.catalog().createWorkspace("throttled", 0L).id(), "key", Set.of())
        .secret();
    String deleted =
        node.catalog().createNamespace(node.workspaceId(), "deleted", "test").id();
    node.catalog().setNamespaceDeleted(deleted, true, "test");
    unlimitedKey = node.newKeyOf(
        node.catalog().createWorkspace("throttled a little", 1_000_000L).id(),
        "ratelimit.*.limit",
        "ratelimit.*.create_namespace",
        "ratelimit.*.set_override",
        "ratelimit.*.read_override",
        "ratelimit.*.delete_override");
  }

  @AfterAll
  static void stop() {
    node.close();
    hasty.close();
    lost.close();
  }

  static List<Operation> operations() {
    return DOCUMENT.operations();
  }

  /** The operations with a body. */
  static List<Operation> posts() {
    return operations().stream()
        .filter(operation -> operation.method().equals("POST"))
        .toList();
  }

  private static Answer post(Operation operation, @Nullable Object body) {
    return post(operation, body, node.key());
  }

  private static Answer post(
      Operation operation, @Nullable Object body, String key, String... headers) {
    List<String> all = new ArrayList<>(List.of("Authorization", "Bearer " + key));
    all.addAll(List.of(headers));
    return Answer.of(node.post(operation.path(), Json.write(body), all.toArray(String[]::new)));
  }

  /** Creates the subject of the request, so that only its form can be wrong. */
  private static void prepare(Operation operation, @Nullable Object body, String key) {
    if (!operation.id().endsWith("Override") && !operation.id().equals("listOverrides")) {
      return;
    }
    Map<String, Object> fields = OpenApi.map(body);
    Map<String, Object> override = Json.map(
        "namespace",
        fields.get("namespace"),
        "identifier",
        fields.getOrDefault("identifier", "any"),
        "limit",
        10,
        "duration",
        1_000);
    assertThat(node.askAs(key, "limit", Json.write(override)).status()).isEqualTo(200);
    if (!operation.id().equals("setOverride")) {
      assertThat(node.askAs(key, "setOverride", Json.write(override)).status()).isEqualTo(200);
    }
  }

  private static void assertAccepted(Operation operation, @Nullable Object body) {
    prepare(operation, body, node.key());
    Answer answer = post(operation, body);
    assertThat(answer.status()).as("%s to %.300s", answer, body).isEqualTo(200);
    assertDocumented(operation, answer);
  }

  private static void assertRejected(Operation operation, @Nullable Object body) {
    Answer answer = post(operation, body);
    assertThat(answer.status()).as("%s to %.300s", answer, body).isEqualTo(400);
    assertThat(answer.kind()).isEqualTo("invalid_input");
    assertThat(answer.violations()).isNotEmpty();
    assertDocumented(operation, answer);
  }

  private static void assertDocumented(Operation operation, Answer answer) {
    assertThat(DOCUMENT.statuses(operation)).contains(answer.status());
    Map<String, Object> schema =
        DOCUMENT.responseSchema(operation, answer.status(), answer.contentType());
    assertThat(DOCUMENT.check(schema, answer.body())).as(answer.toString()).isEmpty();
  }

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
        Metrics metrics =
            new Metrics("test", "eu", "node-1", new Health(InstantSource.system(), false, false));
        CatalogFollower catalog = new CatalogFollower(
            Catalog.open(Catalog.urlOfFile(data), null, null, true), null, new Silent())) {
      Api api = Api.of(
          new LimitService(limiter, catalog, LogDenials.OFF),
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
    public void firstKeyMade(NewRootKey key) {}
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

  // Requests

  @ParameterizedTest
  @MethodSource("posts")
  void examplesOfRequestsAreAccepted(Operation operation) {
    Map<String, Object> examples = DOCUMENT.requestExamples(operation);
    assertThat(examples).containsKey("request");
    examples.values().forEach(example -> {
      assertThat(DOCUMENT.check(DOCUMENT.requestSchema(operation), example)).isEmpty();
      assertAccepted(operation, example);
    });
  }

  /** A valid body in which single fields are replaced. */
  private record Template(Operation operation, Map<String, Object> schema) {

    static Template of(Operation operation) {
      Map<String, Object> schema = DOCUMENT.resolve(DOCUMENT.requestSchema(operation));
      return new Template(
          operation,
          schema.get("type").equals("array")
              ? DOCUMENT.resolve(OpenApi.map(schema.get("items")))
              : schema);
    }

    /** All fields, including the optional ones. */
    Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      properties().forEach((name, reference) -> {
        Map<String, Object> property = DOCUMENT.resolve(OpenApi.map(reference));
        fields.put(
            name,
            property.get("type").equals("string")
                ? "some " + name
                : Long.valueOf(OpenApi.bound(property, "minimum")));
      });
      return fields;
    }

    Map<String, Object> properties() {
      return OpenApi.map(schema.get("properties"));
    }

    List<?> required() {
      return (List<?>) schema.get("required");
    }

    Object body(Map<String, Object> fields) {
      boolean one =
          DOCUMENT.resolve(DOCUMENT.requestSchema(operation)).get("type").equals("object");
      return one ? fields : List.of(fields);
    }

    Object with(String name, @Nullable Object value) {
      Map<String, Object> fields = fields();
      fields.put(name, value);
      return body(fields);
    }

    Object without(String name) {
      Map<String, Object> fields = fields();
      fields.remove(name);
      return body(fields);
    }
  }

  static Stream<Arguments> fields() {
    return posts().stream()
        .flatMap(operation -> Template.of(operation).properties().keySet().stream()
            .map(field -> arguments(operation, field)));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void acceptsEachFieldWithinItsBoundsOnly(Operation operation, String field) {
    Template template = Template.of(operation);
    Map<String, Object> property =
        DOCUMENT.resolve(OpenApi.map(template.properties().get(field)));
    if (property.get("type").equals("integer")) {
      long least = OpenApi.bound(property, "minimum");
      long most = OpenApi.bound(property, "maximum");
      assertAccepted(operation, template.with(field, least));
      assertAccepted(operation, template.with(field, most));
      assertRejected(operation, template.with(field, least - 1));
      assertRejected(operation, template.with(field, most + 1));
      assertRejected(operation, template.with(field, Long.toString(least)));
      assertRejected(operation, template.with(field, least + 0.5));
    } else {
      int least = (int) OpenApi.bound(property, "minLength");
      int most = (int) OpenApi.bound(property, "maxLength");
      assertAccepted(operation, template.with(field, WIDE.repeat(least)));
      assertAccepted(operation, template.with(field, WIDE.repeat(most)));
      if (least > 0) {
        assertRejected(operation, template.with(field, WIDE.repeat(least - 1)));
      }
      assertRejected(operation, template.with(field, "x".repeat(most + 1)));
      assertRejected(operation, template.with(field, 1));
    }
    assertRejected(operation, template.with(field, null));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void requiresTheRequiredFieldsOnly(Operation operation, String field) {
    Template template = Template.of(operation);
    if (template.required().contains(field)) {
      assertRejected(operation, template.without(field));
    } else {
      assertAccepted(operation, template.without(field));
    }
  }

  @ParameterizedTest
  @MethodSource("posts")
  void rejectsUnknownFields(Operation operation) {
    Template template = Template.of(operation);
    assertThat(template.schema()).containsEntry("additionalProperties", false);
    assertAccepted(operation, template.body(template.fields()));
    assertRejected(operation, template.with("more", 1));
    assertRejected(operation, template.with("namespaceId", "rlns_123456789"));
  }

  @ParameterizedTest
  @MethodSource("posts")
  void acceptsTheDocumentedNumberOfEntries(Operation operation) {
    Template template = Template.of(operation);
    Map<String, Object> schema = DOCUMENT.resolve(DOCUMENT.requestSchema(operation));
    if (schema.get("type").equals("array")) {
      int least = (int) OpenApi.bound(schema, "minItems");
      int most = (int) OpenApi.bound(schema, "maxItems");
      assertAccepted(operation, Collections.nCopies(least, template.fields()));
      assertAccepted(operation, Collections.nCopies(most, template.fields()));
      assertRejected(operation, Collections.nCopies(least - 1, template.fields()));
      assertRejected(operation, Collections.nCopies(most + 1, template.fields()));
      assertRejected(operation, template.fields());
    } else {
      assertRejected(operation, List.of(template.fields()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"limit", "multiLimit"})
  void testNodesObeyTheTimeWithinItsBoundsAndOthersIgnoreIt(String id) {
    Operation operation =
        operations().stream().filter(one -> one.id().equals(id)).findFirst().orElseThrow();
    Map<String, Object> parameter =
        DOCUMENT.resolve(OpenApi.map(((List<?>) operation.content().get("parameters")).get(0)));
    assertThat(parameter).containsEntry("schema", Map.of("type", "string"));
    assertThat((String) parameter.get("description"))
        .containsIgnoringWhitespaces("between -" + MAX_TIME + " and " + MAX_TIME);
    String name = (String) parameter.get("name");
    Object body = DOCUMENT.requestExamples(operation).get("request");
    for (long value : new long[] {-MAX_TIME, MAX_TIME}) {
      assertThat(post(operation, body, node.key(), name, Long.toString(value)).status())
          .isEqualTo(200);
    }
    for (long value : new long[] {-MAX_TIME - 1, MAX_TIME + 1}) {
      Answer answer = post(operation, body, node.key(), name, Long.toString(value));
      assertThat(answer.status()).isEqualTo(400);
      assertDocumented(operation, answer);
      assertThat(hasty
              .askAs(hasty.key(), id, Json.write(body), name, Long.toString(value))
              .status())
          .isEqualTo(200);
    }
  }

  @Test
  void onlyDecisionsHaveParameters() {
    assertThat(operations().stream()
            .filter(operation -> operation.content().containsKey("parameters"))
            .map(Operation::id))
        .containsExactlyInAnyOrder("limit", "multiLimit");
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
