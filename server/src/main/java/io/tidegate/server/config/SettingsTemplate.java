package io.tidegate.server.config;

import java.util.regex.Pattern;

/**
 * A file of all settings, each commented out with its default, for users to edit. It is written
 * from {@link Setting}, so it has the settings and the descriptions of the help.
 */
public final class SettingsTemplate {

  private static final int WIDTH = 100;
  private static final Pattern FLAG = Pattern.compile("--(?=[a-z])");

  private SettingsTemplate() {}

  /** Returns the YAML text. Comments start with "# ", settings with "#" only. */
  public static String text() {
    StringBuilder text = new StringBuilder("""
        # Settings of Tidegate. To change one, remove the # before its name.
        # Use this file with: tidegate serve --config FILE
        # Precedence: flag (--http-port 8080), environment variable (TIDEGATE_HTTP_PORT=8080), this file.
        """);
    for (Setting.Topic topic : Setting.Topic.values()) {
      text.append("\n\n# ").append(asKeys(topic.heading())).append('\n');
      Setting.of(topic).stream()
          .filter(setting -> setting != Setting.CONFIG) // a file cannot name another one
          .forEach(setting -> append(text, setting));
    }
    return text.toString();
  }

  private static void append(StringBuilder text, Setting setting) {
    text.append('\n');
    for (String line : setting.help()) {
      appendWrapped(text, asKeys(line));
    }
    text.append('#').append(setting.key()).append(':');
    setting.defaultValue().ifPresent(value -> text.append(' ').append(value));
    text.append('\n');
  }

  /** In a file a setting is its key, not a flag. */
  private static String asKeys(String help) {
    return FLAG.matcher(help).replaceAll("");
  }

  private static void appendWrapped(StringBuilder text, String comment) {
    StringBuilder line = new StringBuilder("#");
    for (String word : comment.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        text.append(line).append('\n');
        line.setLength(1);
      }
      line.append(' ').append(word);
    }
    text.append(line).append('\n');
  }
}
