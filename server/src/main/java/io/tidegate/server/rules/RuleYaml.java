package io.tidegate.server.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.rules.RuleError;
import io.tidegate.rules.RuleFile;
import io.tidegate.rules.RuleLimit;
import io.tidegate.rules.RuleNode;
import io.tidegate.rules.RuleNode.Option;
import io.tidegate.server.config.SafeText;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Parser of a rule file in the YAML of envoyproxy/ratelimit. Errors are collected with their lines,
 * and the parts without errors are read, so that all errors of a file are reported at once.
 */
final class RuleYaml {

  private static final Map<String, Option> OPTIONS = Map.of(
      "shadow_mode", Option.SHADOW_MODE,
      "quota_mode", Option.QUOTA_MODE,
      "detailed_metric", Option.DETAILED_METRIC,
      "value_to_metric", Option.VALUE_TO_METRIC,
      "share_threshold", Option.SHARE_THRESHOLD);

  static final List<String> FILE_KEYS = List.of("domain", "descriptors");

  static final List<String> DESCRIPTOR_KEYS = List.of(
      "key",
      "value",
      "rate_limit",
      "descriptors",
      "shadow_mode",
      "quota_mode",
      "detailed_metric",
      "value_to_metric",
      "share_threshold",
      "record",
      "metadata");

  static final List<String> LIMIT_KEYS =
      List.of("requests_per_unit", "unit", "window", "unlimited", "name", "replaces");

  private static final List<String> REPLACES_KEYS = List.of("name");

  private final String name;

  /** A set, because a part that several aliases refer to is read several times. */
  private final Set<RuleError> errors = new LinkedHashSet<>();

  private RuleYaml(String name) {
    this.name = name;
  }

  /** Parses a file. The result contains the errors, if there are any. */
  static RuleFile parse(String name, ByteBuffer content) {
    return new RuleYaml(name).parse(content);
  }

  private RuleFile parse(ByteBuffer content) {
    String text = decode(content);
    Node root = text == null ? null : compose(text);
    if (root instanceof MappingNode mapping) {
      return readFile(mapping);
    }
    if (root != null && !root.getTag().equals(Tag.NULL)) {
      reject(root, "file must consist of the keys domain and descriptors");
    }
    return new RuleFile(name, 0, "", List.of(), List.copyOf(errors));
  }

  private RuleFile readFile(MappingNode root) {
    YamlMap file = YamlMap.of(root, FILE_KEYS, this::reject);
    return new RuleFile(
        name, file.line("domain"), file.text("domain"), descriptors(file), List.copyOf(errors));
  }

  private @Nullable String decode(ByteBuffer content) {
    ByteBuffer bytes = content.duplicate();
    CharBuffer text = CharBuffer.allocate(bytes.remaining());
    if (UTF_8.newDecoder().decode(bytes, text, true).isError()) {
      int line = 1;
      for (int i = content.position(); i < bytes.position(); i++) {
        line += content.get(i) == '\n' ? 1 : 0;
      }
      errors.add(new RuleError(name, line, "file is not UTF-8 text"));
      return null;
    }
    return text.flip().toString();
  }

  private @Nullable Node compose(String text) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(RuleFiles.MAX_FILE_BYTES);
    options.setNestingDepthLimit(ExpandedSize.MAX_DEPTH);
    options.setMaxAliasesForCollections(Integer.MAX_VALUE); // bounded by their size, below
    try {
      Node root = new Yaml(new SafeConstructor(options)).compose(new StringReader(text));
      if (root == null || ExpandedSize.isBounded(root)) {
        return root;
      }
      errors.add(new RuleError(
          name,
          0,
          "file has more than %d values or %d levels, with aliases expanded"
              .formatted(ExpandedSize.MAX_VALUES, ExpandedSize.MAX_DEPTH)));
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
      errors.add(new RuleError(
          name,
          line,
          "is not YAML: " + SafeText.text(Objects.requireNonNullElse(e.getProblem(), "unknown"))));
    } catch (YAMLException e) {
      errors.add(new RuleError(
          name,
          0,
          "is not YAML: " + SafeText.text(Objects.requireNonNullElse(e.getMessage(), "unknown"))));
    }
    return null;
  }

  private List<RuleNode> descriptors(YamlMap map) {
    return map.maps("descriptors", DESCRIPTOR_KEYS).stream()
        .map(this::descriptor)
        .toList();
  }

  private RuleNode descriptor(YamlMap map) {
    EnumSet<Option> options = EnumSet.noneOf(Option.class);
    OPTIONS.forEach((key, option) -> {
      if (map.flag(key, false)) {
        options.add(option);
      }
    });
    if (map.flag("record", true)) {
      options.add(Option.RECORD);
    }
    YamlMap limit = map.map("rate_limit", LIMIT_KEYS);
    return new RuleNode(
        map.line(),
        map.text("key"),
        map.text("value"),
        limit == null ? null : limit(limit),
        descriptors(map),
        options,
        map.data("metadata"));
  }

  private RuleLimit limit(YamlMap map) {
    return new RuleLimit(
        map.line(),
        map.number("requests_per_unit"),
        map.text("unit"),
        map.text("window"),
        map.flag("unlimited", false),
        map.text("name"),
        map.maps("replaces", REPLACES_KEYS).stream()
            .map(replaced -> replaced.text("name"))
            .toList());
  }

  private void reject(Node node, String message) {
    errors.add(new RuleError(name, node.getStartMark().getLine() + 1, message));
  }
}
