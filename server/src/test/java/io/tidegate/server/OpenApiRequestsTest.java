package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidegate.server.OpenApi.Operation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server accepts the requests that {@code openapi.yaml} describes, and no others. */
class OpenApiRequestsTest extends OpenApiScenario {

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

    static Stream<Template> of(Operation operation) {
      return DOCUMENT.objectSchemas(operation).stream()
          .map(schema -> new Template(operation, schema));
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
      return DOCUMENT.isArray(operation) ? List.of(fields) : fields;
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

    @Override
    public String toString() {
      return operation + " with " + properties().keySet();
    }
  }

  static Stream<Template> templates() {
    return posts().stream().flatMap(Template::of);
  }

  static Stream<Arguments> fields() {
    return templates()
        .flatMap(template ->
            template.properties().keySet().stream().map(field -> arguments(template, field)));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void acceptsEachFieldWithinItsBoundsOnly(Template template, String field) {
    Operation operation = template.operation();
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
  void requiresTheRequiredFieldsOnly(Template template, String field) {
    if (template.required().contains(field)) {
      assertRejected(template.operation(), template.without(field));
    } else {
      assertAccepted(template.operation(), template.without(field));
    }
  }

  @ParameterizedTest
  @MethodSource("templates")
  void rejectsUnknownFields(Template template) {
    Operation operation = template.operation();
    assertThat(template.schema()).containsEntry("additionalProperties", false);
    assertAccepted(operation, template.body(template.fields()));
    assertRejected(operation, template.with("more", 1));
    assertRejected(operation, template.with("namespaceId", "rlns_123456789"));
  }

  /** A rule replaces limit and duration; an entry with one of them too is ambiguous. */
  @ParameterizedTest
  @ValueSource(strings = {"limit", "multiLimit"})
  void rejectsARuleTogetherWithALimit(String id) {
    Operation operation =
        operations().stream().filter(one -> one.id().equals(id)).findFirst().orElseThrow();
    Template named = Template.of(operation)
        .filter(template -> template.properties().containsKey("rule"))
        .findFirst()
        .orElseThrow();
    assertRejected(operation, named.with("limit", 10));
    assertRejected(operation, named.with("duration", 60_000));
    Map<String, Object> both = named.fields();
    both.putAll(Json.map("limit", 10, "duration", 60_000));
    assertRejected(operation, named.body(both));
  }

  @ParameterizedTest
  @MethodSource("templates")
  void acceptsTheDocumentedNumberOfEntries(Template template) {
    Operation operation = template.operation();
    if (DOCUMENT.isArray(operation)) {
      Map<String, Object> schema = DOCUMENT.resolve(DOCUMENT.requestSchema(operation));
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
}
