package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** IDEs complete the properties with the metadata in the jar. */
class MetadataTest {

  private final Map<String, Object> metadata = read();

  private static Map<String, Object> read() {
    try {
      List<URL> files = Collections.list(TidegateProperties.class
          .getClassLoader()
          .getResources("META-INF/spring-configuration-metadata.json"));
      for (URL file : files) {
        try (InputStream in = file.openStream()) {
          String json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
          if (json.contains("\"tidegate.rules\"")) {
            return JsonParserFactory.getJsonParser().parseMap(json);
          }
        }
      }
      throw new AssertionError("no metadata");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private List<Map<String, Object>> items(String kind) {
    return (List<Map<String, Object>>) metadata.get(kind);
  }

  private static List<String> names(Class<?> properties, String prefix) {
    return Arrays.stream(properties.getRecordComponents())
        .map(component ->
            prefix + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
        .toList();
  }

  @Test
  void everyPropertyHasADescription() {
    Map<String, String> descriptions = new HashMap<>();
    items("properties")
        .forEach(
            each -> descriptions.put((String) each.get("name"), (String) each.get("description")));
    List<String> expected = new ArrayList<>(names(TidegateProperties.class, "tidegate."));
    descriptions.keySet().removeIf(name -> name.startsWith("management.endpoint.tidegate."));
    assertThat(descriptions).containsOnlyKeys(expected);
    assertThat(descriptions.values())
        .allSatisfy(each -> assertThat(each).isNotBlank().endsWith("."));
  }

  @Test
  void defaultsAreThoseThatApply() {
    Map<String, Object> defaults = new HashMap<>();
    items("properties")
        .forEach(each -> defaults.put((String) each.get("name"), each.get("defaultValue")));
    assertThat(defaults)
        .containsEntry("tidegate.enabled", true)
        .containsEntry("tidegate.max-series", 1_000_000)
        .containsEntry("tidegate.trusted-proxies", 0)
        .containsEntry("tidegate.headers", "draft-11");
  }

  @Test
  @SuppressWarnings("unchecked")
  void hintsExplainTheValuesOfHeaders() {
    Map<String, Object> hint = items("hints").stream()
        .filter(each -> each.get("name").equals("tidegate.headers"))
        .findFirst()
        .orElseThrow();
    assertThat((List<Map<String, Object>>) hint.get("values"))
        .allSatisfy(value -> assertThat((String) value.get("description")).isNotBlank())
        .extracting(value -> value.get("value"))
        .containsExactly("draft-11", "draft-06", "none");
  }
}
