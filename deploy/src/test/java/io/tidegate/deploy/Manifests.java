package io.tidegate.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Kubernetes resources, or parts of them, as maps, lists and values. */
record Manifests(List<Manifest> all) {

  /** A resource or a map inside it. */
  record Manifest(Map<?, ?> fields) {

    String kind() {
      return text("kind");
    }

    String name() {
      return in("metadata").text("name");
    }

    /** The map at a path, such as {@code "spec", "template"}. */
    Manifest in(String... path) {
      Object found = fields;
      for (String key : path) {
        found = found instanceof Map<?, ?> map ? map.get(key) : null;
      }
      assertThat(found).as(String.join(".", path)).isInstanceOf(Map.class);
      return new Manifest((Map<?, ?>) found);
    }

    boolean has(String key) {
      return fields.containsKey(key);
    }

    /** The value of a key; {@code null} if there is none. */
    Object value(String key) {
      return fields.get(key);
    }

    /** The value of a key, which must exist. */
    String text(String key) {
      assertThat(fields.containsKey(key)).as(key + " in " + fields.keySet()).isTrue();
      return String.valueOf(fields.get(key));
    }

    int number(String key) {
      return Integer.parseInt(text(key));
    }

    /** The maps in a list; none if the key does not exist. */
    List<Manifest> list(String key) {
      List<Manifest> maps = new ArrayList<>();
      if (fields.get(key) instanceof List<?> list) {
        list.forEach(map -> maps.add(new Manifest((Map<?, ?>) map)));
      }
      return maps;
    }

    /** The map in a list whose field {@code name} has a value. */
    Manifest named(String key, String name) {
      return list(key).stream()
          .filter(map -> map.text("name").equals(name))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no " + name + " in " + key));
    }
  }

  /** Reads all documents; a key that appears twice is an error. */
  static Manifests parse(String yaml) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    Iterable<Object> documents = new Yaml(new SafeConstructor(options)).loadAll(yaml);
    return new Manifests(StreamSupport.stream(documents.spliterator(), false)
        .flatMap(document ->
            document instanceof Map<?, ?> map ? Stream.of(new Manifest(map)) : Stream.empty())
        .toList());
  }

  List<Manifest> ofKind(String kind) {
    return all.stream().filter(manifest -> manifest.kind().equals(kind)).toList();
  }

  /** The only resource of a kind. */
  Manifest only(String kind) {
    List<Manifest> found = ofKind(kind);
    assertThat(found).as(kind).hasSize(1);
    return found.get(0);
  }

  /** The resource of a kind with a name. */
  Manifest named(String kind, String name) {
    return ofKind(kind).stream()
        .filter(manifest -> manifest.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kind + " called " + name));
  }

  Manifest podTemplate() {
    return only("Deployment").in("spec", "template");
  }

  Manifest container() {
    return podTemplate().in("spec").named("containers", "tidegate");
  }
}
