package io.tidegate.server.config;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Values of settings from flags, environment variables and the file, in this order of precedence,
 * and their defaults. Problems and warnings are collected while values are read, so that all can be
 * reported together; until then an invalid value is replaced by its default. Used by one thread.
 */
final class Settings {

  private final Map<Setting, SettingValue> values = new EnumMap<>(Setting.class);

  /** A set, because a value may be read twice and is reported once. */
  private final Set<String> problems = new LinkedHashSet<>();

  private final List<String> warnings = new ArrayList<>();

  private Settings() {}

  /** Adds the flags of topics to a command, each topic under its heading in the help. */
  static void declare(CommandSpec command, Setting.Topic... topics) {
    for (Setting.Topic topic : topics) {
      Setting.of(topic).forEach(setting -> command.addOption(option(setting)));
    }
    command.usageMessage().abbreviateSynopsis(true);
    Map<String, IHelpSectionRenderer> sections =
        new HashMap<>(command.usageMessage().sectionMap());
    sections.put(SECTION_KEY_OPTION_LIST, help -> {
      StringBuilder text = new StringBuilder(list(help, Optional.empty()));
      for (Setting.Topic topic : topics) {
        text.append(String.format("%n%s%n", topic.heading()));
        text.append(list(help, Optional.of(topic)));
      }
      return text.toString();
    });
    command.usageMessage().sectionMap(sections);
  }

  /** Lists the options of a topic; options that are not settings have none. */
  private static String list(Help help, Optional<Setting.Topic> topic) {
    List<OptionSpec> options = help.commandSpec().options().stream()
        .filter(option ->
            Setting.ofKey(option.longestName().substring(2)).map(Setting::topic).equals(topic))
        .toList();
    Help.Layout layout = help.createDefaultLayout();
    layout.addAllOptions(options, help.createDefaultParamLabelRenderer());
    return layout.toString();
  }

  private static OptionSpec option(Setting setting) {
    OptionSpec.Builder option = OptionSpec.builder(setting.flag())
        .type(String.class)
        .paramLabel(setting.label())
        .description(setting.help());
    return setting.isSwitch()
        ? option.arity("0..1").fallbackValue("true").build()
        : option.arity("1").build();
  }

  static Settings read(ParseResult flags, Map<String, String> environment) {
    Settings settings = new Settings();
    for (Setting setting : Setting.values()) {
      String value = flags.matchedOptionValue(setting.flag(), null);
      if (value != null) {
        settings.values.put(setting, new SettingValue(value, setting.flag()));
      }
    }
    Environment.read(environment, settings.problems).forEach(settings.values::putIfAbsent);
    settings
        .path(Setting.CONFIG)
        .ifPresent(
            file -> ConfigFile.read(file, settings.problems).forEach(settings.values::putIfAbsent));
    return settings;
  }

  /** Whether a setting was given, even if with its default. */
  boolean has(Setting setting) {
    return values.containsKey(setting);
  }

  /** Adds a problem that concerns several settings. */
  void problem(String problem) {
    problems.add(problem);
  }

  /** Adds a problem with a setting: the rule that it breaks, its value, and where it was given. */
  void reject(Setting setting, String rule) {
    SettingValue rejected = values.get(setting);
    problems.add(setting.key()
        + " "
        + rule
        + (rejected == null
            ? ""
            : ": " + setting.show(rejected.value()) + " (" + rejected.source() + ")"));
  }

  /** Rejects a setting that is given without another one. */
  void require(Setting setting, Setting needed) {
    if (has(setting) && !has(needed)) {
      reject(setting, "needs " + needed.key());
    }
  }

  /** Adds a warning about settings that are valid, but probably a mistake. */
  void warn(String warning) {
    warnings.add(warning);
  }

  List<String> warnings() {
    return warnings;
  }

  void throwProblems() {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  Optional<String> text(Setting setting) {
    return value(setting, Function.identity());
  }

  Optional<Path> path(Setting setting) {
    return file(setting, Function.identity());
  }

  /** Reads the file that a setting names. */
  <T> Optional<T> file(Setting setting, Function<Path, T> reader) {
    return value(setting, text -> {
      Path path;
      try {
        path = Path.of(text);
      } catch (InvalidPathException e) {
        throw new IllegalArgumentException("must be a file path", e);
      }
      return reader.apply(path);
    });
  }

  boolean isOn(Setting setting) {
    return value(setting, text -> switch (text) {
          case "true" -> true;
          case "false" -> false;
          default -> throw new IllegalArgumentException("must be true or false");
        })
        .orElseThrow();
  }

  Optional<Integer> number(Setting setting, int min, int max) {
    return value(setting, text -> {
      long number = text.matches("\\d{1,10}") ? Long.parseLong(text) : -1;
      if (number < min || number > max) {
        throw new IllegalArgumentException("must be a whole number from " + min + " to " + max);
      }
      return (int) number;
    });
  }

  Optional<Duration> duration(Setting setting, Duration min, Duration max) {
    return value(setting, text -> {
      Duration duration = Durations.parse(text);
      if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
        throw new IllegalArgumentException(
            "must be from " + Durations.show(min) + " to " + Durations.show(max));
      }
      return duration;
    });
  }

  <E extends Enum<E>> E choice(Setting setting, Class<E> type) {
    List<String> names = Arrays.stream(type.getEnumConstants())
        .map(constant -> constant.name().toLowerCase(Locale.ROOT))
        .toList();
    return value(setting, text -> {
          if (!names.contains(text)) {
            throw new IllegalArgumentException("must be one of " + String.join(", ", names));
          }
          return type.getEnumConstants()[names.indexOf(text)];
        })
        .orElseThrow();
  }

  /** Parses the value, or the default if none was given or the parser rejects it. */
  <T> Optional<T> value(Setting setting, Function<String, T> parser) {
    @Nullable SettingValue given = values.get(setting);
    if (given != null) {
      try {
        if (given.value().isBlank()) {
          throw new IllegalArgumentException("must not be empty");
        }
        return Optional.of(parser.apply(given.value()));
      } catch (IllegalArgumentException e) {
        reject(setting, Objects.requireNonNullElse(e.getMessage(), "is invalid"));
      }
    }
    return setting.defaultValue().map(parser);
  }
}
