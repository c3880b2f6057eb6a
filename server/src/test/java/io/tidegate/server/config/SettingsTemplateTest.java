package io.tidegate.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class SettingsTemplateTest {

  @TempDir
  private Path directory;

  private final String template = SettingsTemplate.text();

  @Test
  void changesNothingAsItIs() throws IOException {
    assertThat(read(template)).isEmpty();
  }

  @Test
  void everyLineIsAComment() {
    assertThat(template.lines())
        .allMatch(line -> line.isEmpty() || line.startsWith("#"))
        .allMatch(line -> line.length() <= 100);
  }

  @ParameterizedTest
  @EnumSource(value = Setting.class, mode = Mode.EXCLUDE, names = "CONFIG")
  void everySettingIsThereOnceWithItsDefault(Setting setting) throws IOException {
    String commented = "\n#" + setting.key() + ":";
    assertThat(template.split(commented, -1)).hasSize(2);
    String value = setting.defaultValue().isPresent() ? "" : " given";
    Map<Setting, SettingValue> enabled =
        read(template.replace(commented, "\n" + setting.key() + ":" + value));
    assertThat(enabled.keySet()).containsExactly(setting);
    assertThat(enabled.get(setting).value()).isEqualTo(setting.defaultValue().orElse("given"));
  }

  @Test
  void hasNoOtherSettings() {
    List<String> keys = template
        .lines()
        .filter(line -> line.matches("#[^ ].*"))
        .map(line -> line.substring(1, line.indexOf(':')))
        .toList();
    assertThat(keys)
        .containsExactlyInAnyOrderElementsOf(Arrays.stream(Setting.values())
            .filter(setting -> setting != Setting.CONFIG)
            .map(Setting::key)
            .toList());
  }

  private Map<Setting, SettingValue> read(String text) throws IOException {
    List<String> problems = new ArrayList<>();
    Map<Setting, SettingValue> settings =
        ConfigFile.read(Files.writeString(directory.resolve("tidegate.yaml"), text), problems);
    assertThat(problems).isEmpty();
    return settings;
  }
}
