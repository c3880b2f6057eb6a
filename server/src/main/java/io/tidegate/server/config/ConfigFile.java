package io.tidegate.server.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reader of a YAML file of settings, with one key and one value on each line.
 *
 * <p>Values are read as text, whatever type YAML gives them: a region may be called {@code no}.
 * Messages contain neither the value of an unknown key, which may be a password under a misspelled
 * name, nor the parser's message, which quotes the file.
 */
final class ConfigFile {

  private final Path path;
  private final Collection<String> problems;
  private final Map<Setting, SettingValue> settings = new EnumMap<>(Setting.class);

  private ConfigFile(Path path, Collection<String> problems) {
    this.path = path;
    this.problems = problems;
  }

  /** Returns the settings of the file, and adds its errors to the problems. */
  static Map<Setting, SettingValue> read(Path path, Collection<String> problems) {
    ConfigFile file = new ConfigFile(path, problems);
    file.read();
    return file.settings;
  }

  private void read() {
    Node root = parse();
    if (root instanceof MappingNode mapping) {
      mapping.getValue().forEach(this::readEntry);
    } else if (root != null && !root.getTag().equals(Tag.NULL)) {
      problems.add(at(root) + " must have one setting per line, such as 'http-port: 8080'");
    }
  }

  private @Nullable Node parse() {
    try {
      return new Yaml(new SafeConstructor(new LoaderOptions()))
          .compose(new StringReader(Files.readString(path)));
    } catch (NoSuchFileException e) {
      problems.add("config names a file that does not exist: " + path);
    } catch (CharacterCodingException e) {
      problems.add(path + " is not UTF-8 text");
    } catch (IOException e) {
      problems.add("config names a file that cannot be read: " + path);
    } catch (MarkedYAMLException e) {
      problems.add(path
          + (e.getProblemMark() == null ? "" : ", line " + (e.getProblemMark().getLine() + 1))
          + ", is not YAML; put values with special characters in quotes");
    } catch (YAMLException e) {
      problems.add(path + " is not YAML");
    }
    return null;
  }

  private void readEntry(NodeTuple entry) {
    if (!(entry.getKeyNode() instanceof ScalarNode keyNode)) {
      problems.add(at(entry.getKeyNode()) + " must start with the name of a setting");
      return;
    }
    String key = keyNode.getValue();
    Setting setting = Setting.ofKey(key).orElse(null);
    if (setting == null) {
      problems.add(at(keyNode) + ": unknown setting " + SafeText.text(key)
          + Similar.suggest(key, Setting.keys()));
    } else if (setting == Setting.CONFIG) {
      problems.add(at(keyNode) + ": config cannot be set in a file");
    } else if (settings.containsKey(setting)) {
      problems.add(at(keyNode) + ": " + key + " is set twice");
    } else if (!(entry.getValueNode() instanceof ScalarNode value)) {
      problems.add(at(keyNode) + ": " + key + " must have a single value, not a list or a map");
    } else if (value.getTag().equals(Tag.NULL) || value.getValue().isEmpty()) {
      problems.add(at(keyNode) + ": " + key + " has no value");
    } else {
      settings.put(setting, new SettingValue(value.getValue(), at(keyNode)));
    }
  }

  private String at(Node node) {
    return path + ", line " + (node.getStartMark().getLine() + 1);
  }
}
