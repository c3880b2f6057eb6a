package io.tidegate.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileTest {

  @TempDir
  private Path directory;

  private Path file;
  private final List<String> problems = new ArrayList<>();

  @BeforeEach
  void name() {
    file = directory.resolve("tidegate.yaml");
  }

  @Test
  void valuesAreReadAsText() throws IOException {
    assertThat(
            read("# where\nregion: no\nnode: 007\nhttp-port: 8080\njdbc-password: \"a: b # c\"\n"))
        .containsEntry(Setting.REGION, new SettingValue("no", file + ", line 2"))
        .containsEntry(Setting.NODE, new SettingValue("007", file + ", line 3"))
        .containsEntry(Setting.HTTP_PORT, new SettingValue("8080", file + ", line 4"))
        .containsEntry(Setting.JDBC_PASSWORD, new SettingValue("a: b # c", file + ", line 5"));
    assertThat(problems).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n", "---\n", "{}"})
  void fileMayBeEmpty(String text) throws IOException {
    assertThat(read(text)).isEmpty();
    assertThat(problems).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis-uri: [redis://a, redis://b]",
        "redis-uri:\n  - redis://a",
        "redis-uri: {a: b}"
      })
  void listsAndMapsAreRejected(String text) throws IOException {
    assertThat(read(text)).isEmpty();
    assertThat(problems)
        .containsExactly(
            file + ", line 1: redis-uri must have a single value, not a list or a map");
  }

  @Test
  void nestedSettingsAreUnknown() throws IOException {
    read("http:\n  port: 8080");
    assertThat(problems).containsExactly(file + ", line 1: unknown setting http");
  }

  @ParameterizedTest
  @ValueSource(strings = {"region:", "region: ~", "region: null", "region: ''"})
  void keyNeedsAValue(String text) throws IOException {
    read(text);
    assertThat(problems).containsExactly(file + ", line 1: region has no value");
  }

  @Test
  void keyMayOccurOnce() throws IOException {
    read("region: a\nnode: b\nregion: a");
    assertThat(problems).containsExactly(file + ", line 3: region is set twice");
  }

  @Test
  void fileCannotNameAnotherFile() throws IOException {
    read("config: other.yaml");
    assertThat(problems).containsExactly(file + ", line 1: config cannot be set in a file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"just text", "- region: a", "[a, b]"})
  void fileMustBeAMap(String text) throws IOException {
    read(text);
    assertThat(problems)
        .containsExactly(
            file + ", line 1 must have one setting per line, such as 'http-port: 8080'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc-password: *hunter2",
        "jdbc-password: @hunter2",
        "jdbc-password: 'hunter2",
        "jdbc-password: hunter2: x",
        "jdbc-password: a\n hunter2: b: c",
        "jdbc-passwrd: hunter2",
        "jdbc-password: [hunter2]",
        "hunter2: [",
      })
  void invalidFileIsNotQuoted(String text) throws IOException {
    assertThat(read(text)).doesNotContainKey(Setting.JDBC_PASSWORD);
    assertThat(problems).isNotEmpty();
    assertThat(String.join("\n", problems)).doesNotContain("hunter2").contains(file.toString());
  }

  @Test
  void invalidYamlIsReportedWithItsLine() throws IOException {
    read("region: eu\nnode: 'x");
    assertThat(problems)
        .containsExactly(
            file + ", line 2, is not YAML; put values with special characters in quotes");
  }

  @Test
  void missingFileIsReported() {
    ConfigFile.read(file, problems);
    assertThat(problems).containsExactly("config names a file that does not exist: " + file);
  }

  @Test
  void directoryIsRejected() {
    ConfigFile.read(directory, problems);
    assertThat(problems).containsExactly("config names a file that cannot be read: " + directory);
  }

  @Test
  void fileThatIsNotTextIsRejected() throws IOException {
    Files.write(file, "region: \u00e9".getBytes(StandardCharsets.ISO_8859_1));
    ConfigFile.read(file, problems);
    assertThat(problems).containsExactly(file + " is not UTF-8 text");
  }

  private Map<Setting, SettingValue> read(String text) throws IOException {
    Files.writeString(file, text);
    return ConfigFile.read(file, problems);
  }
}
