package io.tidegate.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

/** An OpenAPI document that validates values. Supports the keywords that ours uses. */
final class OpenApi {

  private static final Set<String> KNOWN_KEYWORDS = Set.of(
      "$ref",
      "type",
      "format",
      "description",
      "properties",
      "required",
      "additionalProperties",
      "items",
      "minItems",
      "maxItems",
      "minLength",
      "maxLength",
      "minimum",
      "maximum",
      "pattern",
      "const",
      "default",
      "oneOf");

  private final Map<String, Object> root;

  /** Which properties of which objects were there in what was checked: {@code Meta.requestId}. */
  private final Set<String> seen = new LinkedHashSet<>();

  OpenApi(String yaml) {
    this.root = new Yaml().load(yaml);
  }

  /** A path and a method. */
  record Operation(String path, String method, Map<String, Object> content) {

    String id() {
      return (String) content.get("operationId");
    }

    @Override
    public String toString() {
      return id();
    }
  }

  List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    map(root.get("paths"))
        .forEach((path, methods) -> map(methods)
            .forEach((method, content) -> operations.add(
                new Operation(path, method.toUpperCase(Locale.ROOT), map(content)))));
    return operations;
  }

  Map<String, Object> requestSchema(Operation operation) {
    return map(json(operation).get("schema"));
  }

  /** The schemas that one object of the body can have. */
  List<Map<String, Object>> objectSchemas(Operation operation) {
    Map<String, Object> body = resolve(requestSchema(operation));
    Map<String, Object> object = body.containsKey("items") ? resolve(map(body.get("items"))) : body;
    return object.containsKey("oneOf")
        ? list(object.get("oneOf")).stream().map(one -> resolve(map(one))).toList()
        : List.of(object);
  }

  boolean isArray(Operation operation) {
    return resolve(requestSchema(operation)).containsKey("items");
  }

  /** The examples of the body, by name. */
  Map<String, Object> requestExamples(Operation operation) {
    return values(map(json(operation).get("examples")));
  }

  private Map<String, Object> json(Operation operation) {
    return at(map(operation.content.get("requestBody")), "content", "application/json");
  }

  Set<Integer> statuses(Operation operation) {
    Set<Integer> statuses = new LinkedHashSet<>();
    map(operation.content.get("responses"))
        .keySet()
        .forEach(status -> statuses.add(Integer.valueOf(status)));
    return statuses;
  }

  Map<String, Object> response(Operation operation, int status) {
    return resolve(map(map(operation.content.get("responses")).get(Integer.toString(status))));
  }

  /** The schema of an answer of this content type. */
  Map<String, Object> responseSchema(Operation operation, int status, String contentType) {
    return map(at(response(operation, status), "content", contentType).get("schema"));
  }

  static Map<String, Object> values(Map<String, Object> examples) {
    Map<String, Object> values = new LinkedHashMap<>();
    examples.forEach((name, example) -> values.put(name, map(example).get("value")));
    return values;
  }

  /** Follows references. */
  Map<String, Object> resolve(Map<String, Object> value) {
    String reference = (String) value.get("$ref");
    return reference == null ? value : resolve(at(reference));
  }

  Map<String, Object> at(String reference) {
    if (!reference.startsWith("#/")) {
      throw new AssertionError("refers to elsewhere: " + reference);
    }
    return at(root, reference.substring(2).split("/"));
  }

  private static Map<String, Object> at(Map<String, Object> from, String... path) {
    Map<String, Object> found = from;
    for (String step : path) {
      if (!found.containsKey(step)) {
        throw new AssertionError("no " + step + " in " + found.keySet());
      }
      found = map(found.get(step));
    }
    return found;
  }

  /** All references in the document. */
  Set<String> references() {
    Set<String> references = new LinkedHashSet<>();
    collectReferences(root, references);
    return references;
  }

  private static void collectReferences(@Nullable Object value, Set<String> references) {
    if (value instanceof Map<?, ?> object) {
      if (object.get("$ref") instanceof String reference) {
        references.add(reference);
      }
      object.values().forEach(part -> collectReferences(part, references));
    } else if (value instanceof List<?> array) {
      array.forEach(part -> collectReferences(part, references));
    }
  }

  /** All components. */
  Set<String> components() {
    Set<String> components = new LinkedHashSet<>();
    map(root.get("components"))
        .forEach((kind, named) -> map(named)
            .keySet()
            .forEach(name -> components.add("#/components/" + kind + "/" + name)));
    return components;
  }

  /** All properties of the named schemas of answers. */
  Set<String> answerProperties() {
    Set<String> properties = new LinkedHashSet<>();
    at(root, "components", "schemas").forEach((name, schema) -> {
      if (!name.endsWith("Request") && map(schema).get("type").equals("object")) {
        map(map(schema).get("properties"))
            .keySet()
            .forEach(property -> properties.add(name + "." + property));
      }
    });
    return properties;
  }

  /** The properties that validated values have had so far. */
  Set<String> seen() {
    return seen;
  }

  /** The errors of a value; empty if it matches the schema. */
  List<String> check(Map<String, Object> schema, @Nullable Object value) {
    List<String> problems = new ArrayList<>();
    check(schema, value, "answer", problems);
    return problems;
  }

  private void check(
      Map<String, Object> reference, @Nullable Object value, String where, List<String> problems) {
    Map<String, Object> schema = resolve(reference);
    for (String keyword : schema.keySet()) {
      if (!KNOWN_KEYWORDS.contains(keyword)) {
        throw new AssertionError("nothing checks " + keyword);
      }
    }
    String name = reference.get("$ref") instanceof String text
        ? text.substring(text.lastIndexOf('/') + 1)
        : where;
    if (schema.containsKey("oneOf")) {
      checkAlternatives(list(schema.get("oneOf")), value, where, problems);
      return;
    }
    if (schema.containsKey("const")
        && !Objects.equals(number(schema.get("const")), number(value))) {
      problems.add(where + " is not " + schema.get("const") + ": " + value);
    }
    switch ((String) schema.get("type")) {
      case "object" -> checkObject(schema, value, where, name, problems);
      case "array" -> {
        if (value instanceof List<?> array) {
          checkRange(schema, "minItems", "maxItems", array.size(), where, problems);
          for (Object element : array) {
            check(map(schema.get("items")), element, where + "[]", problems);
          }
        } else {
          problems.add(where + " is no array: " + value);
        }
      }
      case "string" -> {
        if (value instanceof String text) {
          int length = text.codePointCount(0, text.length());
          checkRange(schema, "minLength", "maxLength", length, where, problems);
          if (schema.get("pattern") instanceof String pattern && !text.matches(pattern)) {
            problems.add(where + " does not match " + pattern + ": " + text);
          }
        } else {
          problems.add(where + " is no string: " + value);
        }
      }
      case "integer" -> {
        if (number(value) instanceof Long integer) {
          checkRange(schema, "minimum", "maximum", integer, where, problems);
        } else {
          problems.add(where + " is no integer: " + value);
        }
      }
      case "boolean" -> {
        if (!(value instanceof Boolean)) {
          problems.add(where + " is no boolean: " + value);
        }
      }
      default -> throw new AssertionError("nothing checks the type " + schema.get("type"));
    }
  }

  private void checkAlternatives(
      List<?> alternatives, @Nullable Object value, String where, List<String> problems) {
    List<List<String>> results =
        alternatives.stream().map(alternative -> check(map(alternative), value)).toList();
    long matching = results.stream().filter(List::isEmpty).count();
    if (matching != 1) {
      problems.add(where + " matches " + matching + " alternatives: " + results);
    }
  }

  private void checkObject(
      Map<String, Object> schema,
      @Nullable Object value,
      String where,
      String name,
      List<String> problems) {
    if (!(value instanceof Map<?, ?>)) {
      problems.add(where + " is no object: " + value);
      return;
    }
    Map<String, Object> object = map(value);
    Map<String, Object> properties = map(schema.get("properties"));
    for (Object required : list(schema.getOrDefault("required", List.of()))) {
      if (!object.containsKey(required)) {
        problems.add(where + " has no " + required);
      }
    }
    object.forEach((property, part) -> {
      if (properties.containsKey(property)) {
        seen.add(name + "." + property);
        check(map(properties.get(property)), part, where + "." + property, problems);
      } else if (Boolean.FALSE.equals(schema.get("additionalProperties"))) {
        problems.add(where + " must not have " + property);
      }
    });
  }

  private static void checkRange(
      Map<String, Object> schema,
      String least,
      String most,
      long value,
      String where,
      List<String> problems) {
    if ((schema.containsKey(least) && value < bound(schema, least))
        || (schema.containsKey(most) && value > bound(schema, most))) {
      problems.add(where + " is out of its bounds: " + value);
    }
  }

  /** A bound; fails if the schema has none. */
  static long bound(Map<String, Object> schema, String keyword) {
    if (number(schema.get(keyword)) instanceof Long bound) {
      return bound;
    }
    throw new AssertionError("no " + keyword + " in " + schema);
  }

  /** The YAML parser returns integers of several types. */
  private static @Nullable Object number(@Nullable Object value) {
    return value instanceof Integer integer ? Long.valueOf(integer) : value;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(@Nullable Object value) {
    if (value instanceof Map<?, ?>) {
      return (Map<String, Object>) value;
    }
    throw new AssertionError("no object: " + value);
  }

  private static List<?> list(@Nullable Object value) {
    return (List<?>) Objects.requireNonNull(value);
  }
}
