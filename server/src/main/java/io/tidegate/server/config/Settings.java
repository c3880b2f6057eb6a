package io.tidegate.server.config;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * What was set, from wherever it came: flags, then the environment, then the file, then the
 * defaults. Problems are collected, so that all can be told at once; a value that cannot be used
 * counts as its default meanwhile.
 */
final class Settings {

  private final Map<Setting, Given> given = new EnumMap<>(Setting.class);

  /** A value may be looked at twice, and is told of once. */
  private final Set<String> problems = new LinkedHashSet<>();

  private Settings() {}

  /** Adds the flags of some topics to a command, each topic with its heading in the help. */
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

  /** The options of a topic; those that are no settings have none. */
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
        settings.given.put(setting, new Given(value, setting.flag()));
      }
    }
    Environment.read(environment, settings.problems).forEach(settings.given::putIfAbsent);
    settings
        .path(Setting.CONFIG)
        .ifPresent(
            file -> ConfigFile.read(file, settings.problems).forEach(settings.given::putIfAbsent));
    return settings;
  }

  /** Whether somebody set it, be it to its default. */
  boolean has(Setting setting) {
    return given.containsKey(setting);
  }

  void problem(String problem) {
    problems.add(problem);
  }

  /** A problem with the value of a setting, which says what it must be. */
  void refuse(Setting setting, String rule) {
    Given refused = given.get(setting);
    problems.add(setting.key()
        + " "
        + rule
        + (refused == null
            ? ""
            : ": " + setting.show(refused.value()) + " (" + refused.source() + ")"));
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

  /** What a file has, if the reader accepts it. */
  <T> Optional<T> file(Setting setting, Function<Path, T> reader) {
    return value(setting, text -> {
      Path path;
      try {
        path = Path.of(text);
      } catch (InvalidPathException e) {
        throw new IllegalArgumentException("must be the path of a file", e);
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

  Optional<Integer> number(Setting setting, int least, int most) {
    return value(setting, text -> {
      long number = text.matches("\\d{1,10}") ? Long.parseLong(text) : -1;
      if (number < least || number > most) {
        throw new IllegalArgumentException("must be a whole number from " + least + " to " + most);
      }
      return (int) number;
    });
  }

  Optional<Duration> duration(Setting setting, Duration least, Duration most) {
    return value(setting, text -> {
      Duration duration = Durations.parse(text);
      if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
        throw new IllegalArgumentException(
            "must be from " + Durations.show(least) + " to " + Durations.show(most));
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

  /** The value, or its default if it is none or cannot be used. */
  <T> Optional<T> value(Setting setting, Function<String, T> parser) {
    @Nullable Given said = given.get(setting);
    if (said != null) {
      try {
        if (said.value().isBlank()) {
          throw new IllegalArgumentException("must not be empty");
        }
        return Optional.of(parser.apply(said.value()));
      } catch (IllegalArgumentException e) {
        refuse(setting, e.getMessage());
      }
    }
    return setting.standard().map(parser);
  }
}
