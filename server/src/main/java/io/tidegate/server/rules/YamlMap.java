package io.tidegate.server.rules;

import io.tidegate.server.config.SafeText;
import io.tidegate.server.config.Similar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A map of a YAML file with known keys. Unknown and duplicate keys and values of a wrong type are
 * rejected with their line, and read as absent. An absent value and {@code null} are the same.
 *
 * <p>The merge key {@code <<} adds the entries of other maps; entries of the map itself take
 * precedence, then those of earlier maps.
 */
final class YamlMap {

  /** Not octal, and within a long. */
  private static final Pattern WHOLE_NUMBER = Pattern.compile("0|[1-9][0-9_]{0,17}");

  private static final Set<String> TRUE = Set.of("true", "yes", "on");

  private final MappingNode node;
  private final List<String> known;
  private final BiConsumer<Node, String> reject;
  private final Map<String, NodeTuple> entries = new HashMap<>();

  private YamlMap(MappingNode node, List<String> known, BiConsumer<Node, String> reject) {
    this.node = node;
    this.known = known;
    this.reject = reject;
    addAll(node);
  }

  /**
   * Reads the keys of a map.
   *
   * @param known the keys that the map may have
   * @param reject receives errors, each with the node that is wrong
   */
  static YamlMap of(MappingNode node, List<String> known, BiConsumer<Node, String> reject) {
    return new YamlMap(node, known, reject);
  }

  private void addAll(MappingNode mapping) {
    Set<String> own = new HashSet<>();
    List<Node> merged = new ArrayList<>();
    for (NodeTuple entry : mapping.getValue()) {
      if (entry.getKeyNode().getTag().equals(Tag.MERGE)) {
        merged.add(entry.getValueNode());
      } else {
        add(entry, own);
      }
    }
    merged.forEach(this::merge);
  }

  private void add(NodeTuple entry, Set<String> own) {
    Node key = entry.getKeyNode();
    if (!(key instanceof ScalarNode scalar) || !key.getTag().equals(Tag.STR)) {
      reject.accept(key, "key must be text" + shown(key));
      return;
    }
    String name = scalar.getValue();
    if (!own.add(name)) {
      reject.accept(key, "duplicate key '" + SafeText.text(name) + "'");
    } else if (!known.contains(name)) {
      reject.accept(
          key, "unknown key '" + SafeText.text(name) + "'" + Similar.suggest(name, known));
    } else {
      entries.putIfAbsent(name, entry);
    }
  }

  private void merge(Node merged) {
    if (merged instanceof MappingNode mapping) {
      addAll(mapping);
    } else if (merged instanceof SequenceNode list) {
      list.getValue().forEach(this::merge);
    } else {
      reject.accept(merged, "<< must refer to a map" + shown(merged));
    }
  }

  /** The line of the map, from 1. */
  int line() {
    return node.getStartMark().getLine() + 1;
  }

  /** The line of a key, or of the map if it does not have the key. */
  int line(String key) {
    NodeTuple entry = entries.get(key);
    return entry == null ? line() : entry.getKeyNode().getStartMark().getLine() + 1;
  }

  /** The value of a key; null if absent. */
  private @Nullable Node value(String key) {
    NodeTuple entry = entries.get(key);
    return entry == null || entry.getValueNode().getTag().equals(Tag.NULL)
        ? null
        : entry.getValueNode();
  }

  /** The text of a scalar, whatever type YAML gives it; empty if absent. */
  String text(String key) {
    Node value = value(key);
    if (value == null || value instanceof ScalarNode) {
      return value == null ? "" : ((ScalarNode) value).getValue();
    }
    reject.accept(value, key + " must be a single value, not a list or a map");
    return "";
  }

  boolean flag(String key, boolean absent) {
    Node value = value(key);
    if (value == null) {
      return absent;
    }
    if (value instanceof ScalarNode scalar && value.getTag().equals(Tag.BOOL)) {
      return TRUE.contains(scalar.getValue().toLowerCase(Locale.ROOT));
    }
    reject.accept(value, key + " must be true or false" + shown(value));
    return absent;
  }

  /** A number from 0; null if absent, and 0 after an error. */
  @Nullable
  Long number(String key) {
    Node value = value(key);
    if (value == null) {
      return null;
    }
    if (value instanceof ScalarNode scalar
        && value.getTag().equals(Tag.INT)
        && WHOLE_NUMBER.matcher(scalar.getValue()).matches()) {
      return Long.valueOf(scalar.getValue().replace("_", ""));
    }
    reject.accept(value, key + " must be a whole number of at most 18 digits" + shown(value));
    return 0L;
  }

  /** A map with known keys; null if absent. */
  @Nullable
  YamlMap map(String key, List<String> known) {
    Node value = value(key);
    if (value instanceof MappingNode mapping) {
      return of(mapping, known, reject);
    }
    if (value != null) {
      reject.accept(value, key + " must be a map" + shown(value));
    }
    return null;
  }

  /** A list of maps with known keys; empty if absent. */
  List<YamlMap> maps(String key, List<String> known) {
    Node value = value(key);
    List<YamlMap> maps = new ArrayList<>();
    if (value instanceof SequenceNode list) {
      for (Node item : list.getValue()) {
        if (item instanceof MappingNode mapping) {
          maps.add(of(mapping, known, reject));
        } else {
          reject.accept(item, key + " must be a list of maps" + shown(item));
        }
      }
    } else if (value != null) {
      reject.accept(value, key + " must be a list of maps" + shown(value));
    }
    return maps;
  }

  /** A map with any keys: text, numbers, booleans, and lists and maps of these. */
  Map<String, Object> data(String key) {
    Node value = value(key);
    if (value instanceof MappingNode mapping) {
      return data(mapping);
    }
    if (value != null) {
      reject.accept(value, key + " must be a map" + shown(value));
    }
    return Map.of();
  }

  private Map<String, Object> data(MappingNode mapping) {
    Map<String, Object> data = new LinkedHashMap<>();
    for (NodeTuple entry : mapping.getValue()) {
      Object value = data(entry.getValueNode());
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        reject.accept(entry.getKeyNode(), "key must be text");
      } else if (value != null) {
        data.put(key.getValue(), value);
      }
    }
    return data;
  }

  private @Nullable Object data(Node value) {
    if (value instanceof MappingNode mapping) {
      return data(mapping);
    }
    if (value instanceof SequenceNode list) {
      return list.getValue().stream().map(this::data).filter(Objects::nonNull).toList();
    }
    return scalar((ScalarNode) value);
  }

  /** Reads numbers in decimal only; others stay text. */
  private static @Nullable Object scalar(ScalarNode node) {
    String text = node.getValue();
    if (node.getTag().equals(Tag.NULL)) {
      return null;
    }
    if (node.getTag().equals(Tag.BOOL)) {
      return TRUE.contains(text.toLowerCase(Locale.ROOT));
    }
    if (node.getTag().equals(Tag.INT) && text.matches("-?(0|[1-9][0-9]{0,17})")) {
      return Long.valueOf(text);
    }
    if (node.getTag().equals(Tag.FLOAT) && text.matches("-?[0-9]+(\\.[0-9]*)?([eE][-+]?[0-9]+)?")) {
      return Double.valueOf(text);
    }
    return text;
  }

  /** The text of a scalar for a message. */
  private static String shown(Node node) {
    return node instanceof ScalarNode scalar ? ": '" + SafeText.text(scalar.getValue()) + "'" : "";
  }
}
