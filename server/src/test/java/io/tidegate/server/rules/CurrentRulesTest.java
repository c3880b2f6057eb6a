package io.tidegate.server.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.tidegate.rules.Entry;
import io.tidegate.rules.Match;
import io.tidegate.rules.RuleError;
import io.tidegate.rules.RuleException;
import io.tidegate.rules.RuleSet;
import io.tidegate.testkit.Waiting;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules that follow real files. Reads are made by the test, except in the tests of the thread. */
@Timeout(60)
class CurrentRulesTest {

  private static final String BROKEN = "domain: shop\ndescriptors:\n- value: x\n";

  @TempDir
  private Path directory;

  private CurrentRules rules;

  /** The number of rules of each load, and the first error of each rejection. */
  private final List<Object> loads = new ArrayList<>();

  private final CurrentRules.Listener listener = new CurrentRules.Listener() {
    @Override
    public void loaded(RuleSet loaded) {
      loads.add(loaded.rules().size());
    }

    @Override
    public void rejected(RuleException errors) {
      loads.add(errors.errors().get(0).toString());
    }
  };

  @AfterEach
  void close() {
    if (rules != null) {
      rules.close();
    }
  }

  private void load() throws RuleException {
    rules = CurrentRules.load(directory, listener);
  }

  /** Reads often enough for a change to be loaded. */
  private void read() {
    rules.reloadIfChanged();
    rules.reloadIfChanged();
  }

  private Path write(String file, String text) throws IOException {
    return Files.writeString(directory.resolve(file), text);
  }

  private static String limit(String domain, int limit) {
    return """
        domain: %s
        descriptors:
        - key: a
          rate_limit: {unit: minute, requests_per_unit: %d}
        """.formatted(domain, limit);
  }

  private Long limitOf(String domain) {
    Match match = rules.current().find(domain, List.of(new Entry("a", "")));
    return match == null ? null : match.rule().limit();
  }

  private List<String> errorsOfFirstLoad() {
    RuleException rejected = catchThrowableOfType(RuleException.class, this::load);
    assertThat(rejected).isNotNull();
    return rejected.errors().stream().map(RuleError::toString).toList();
  }

  @Test
  void allFilesOfTheDirectoryAreOneSet() throws Exception {
    write("a.yaml", limit("shop", 1));
    write("b.yml", limit("api", 2));
    write("c.txt", "not yaml: [");
    write(".hidden.yaml", "not yaml: [");
    write("d.yaml~", "not yaml: [");
    Files.createDirectory(directory.resolve("e.yaml"));
    load();
    assertThat(limitOf("shop")).isEqualTo(1);
    assertThat(limitOf("api")).isEqualTo(2);
    assertThat(rules.current().domains()).containsExactly("api", "shop");
    assertThat(loads).containsExactly(2);
  }

  @Test
  void rewrittenFileIsLoadedOnce() throws Exception {
    write("a.yaml", limit("shop", 1));
    load();
    read();
    assertThat(loads).hasSize(1);
    write("a.yaml", limit("shop", 2));
    read();
    read();
    assertThat(limitOf("shop")).isEqualTo(2);
    assertThat(loads).containsExactly(1, 1);
  }

  @Test
  void changeIsLoadedWhenTwoReadsFindTheSame() throws Exception {
    write("a.yaml", limit("shop", 1));
    load();
    write("a.yaml", "domain: shop\n"); // valid, but only the first line of a file being written
    rules.reloadIfChanged();
    write("a.yaml", limit("shop", 2));
    rules.reloadIfChanged();
    assertThat(limitOf("shop")).isEqualTo(1);
    rules.reloadIfChanged();
    assertThat(limitOf("shop")).isEqualTo(2);
    assertThat(loads).containsExactly(1, 1);
  }

  @Test
  void fileReplacedByARenameIsLoaded() throws Exception {
    write("a.yaml", limit("shop", 1));
    load();
    Path next = write("a.yaml.tmp", limit("shop", 2));
    Files.setLastModifiedTime(next, Files.getLastModifiedTime(directory.resolve("a.yaml")));
    Files.move(next, directory.resolve("a.yaml"), StandardCopyOption.ATOMIC_MOVE);
    read();
    assertThat(limitOf("shop")).isEqualTo(2);
  }

  /** As Kubernetes mounts a ConfigMap: links to files below a link to a directory. */
  @Test
  void replacedLinkOfAConfigMapIsLoadedAsAWhole() throws Exception {
    Files.createSymbolicLink(directory.resolve("a.yaml"), Path.of("..data", "a.yaml"));
    Files.createSymbolicLink(directory.resolve("b.yaml"), Path.of("..data", "b.yaml"));
    mount(1);
    load();
    assertThat(limitOf("shop")).isEqualTo(1);
    mount(2);
    read();
    assertThat(limitOf("shop")).isEqualTo(2);
    assertThat(limitOf("api")).isEqualTo(2);
    assertThat(loads).containsExactly(2, 2);
  }

  private void mount(int limit) throws IOException {
    Path version = Files.createTempDirectory(directory, "..version");
    Files.writeString(version.resolve("a.yaml"), limit("shop", limit));
    Files.writeString(version.resolve("b.yaml"), limit("api", limit));
    Path link = Files.createSymbolicLink(directory.resolve("..data_tmp"), version.getFileName());
    Files.move(link, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void invalidFilesKeepTheOldRulesAndAreReportedOncePerContent() throws Exception {
    write("a.yaml", limit("shop", 1));
    write("b.yaml", limit("api", 1));
    load();
    write("b.yaml", limit("api", 2));
    write("a.yaml", BROKEN);
    read();
    read();
    assertThat(limitOf("shop")).isEqualTo(1);
    assertThat(limitOf("api")).as("no part of an invalid set is used").isEqualTo(1);
    String missingKey = "a.yaml:3: descriptor has no key, or an empty one";
    assertThat(loads).containsExactly(2, missingKey);
    write("a.yaml", BROKEN + "# still\n");
    read();
    assertThat(loads).containsExactly(2, missingKey, missingKey);
    write("a.yaml", limit("shop", 3));
    read();
    assertThat(limitOf("shop")).isEqualTo(3);
    assertThat(limitOf("api")).isEqualTo(2);
    assertThat(loads).containsExactly(2, missingKey, missingKey, 2);
  }

  @Test
  void returningToTheRulesInUseEndsTheRejection() throws Exception {
    write("a.yaml", limit("shop", 1));
    load();
    write("a.yaml", BROKEN);
    read();
    write("a.yaml", limit("shop", 1));
    read();
    assertThat(loads).hasSize(3).last().isEqualTo(1);
  }

  @Test
  void addedAndDeletedFilesChangeTheSet() throws Exception {
    write("a.yaml", limit("shop", 1));
    load();
    Path added = write("b.yaml", limit("api", 1));
    read();
    assertThat(rules.current().hasDomain("api")).isTrue();
    Files.delete(added);
    read();
    assertThat(rules.current().hasDomain("api")).isFalse();
    assertThat(limitOf("shop")).isEqualTo(1);
    assertThat(loads).containsExactly(1, 2, 1);
  }

  @Test
  void rulesStayWhenAllFilesOrTheDirectoryAreGone() throws Exception {
    Path file = write("a.yaml", limit("shop", 1));
    load();
    Files.delete(file);
    read();
    assertThat(limitOf("shop")).isEqualTo(1);
    Files.delete(directory);
    read();
    assertThat(limitOf("shop")).isEqualTo(1);
    assertThat(loads)
        .containsExactly(
            1,
            directory + ": directory has no files *.yaml",
            directory + ": directory does not exist");
    Files.createDirectory(directory);
    write("a.yaml", limit("shop", 2));
    read();
    assertThat(limitOf("shop")).isEqualTo(2);
  }

  @Test
  void firstLoadFailsWithAllErrors() throws Exception {
    assertThat(errorsOfFirstLoad()).containsExactly(directory + ": directory has no files *.yaml");
    write("a.yaml", BROKEN);
    write("b.yaml", "domain: [");
    Files.createSymbolicLink(directory.resolve("c.yaml"), Path.of("nowhere"));
    assertThat(errorsOfFirstLoad())
        .hasSize(3)
        .contains(
            "a.yaml:3: descriptor has no key, or an empty one",
            "c.yaml: file does not exist, or is a link to one that does not")
        .element(1)
        .asString()
        .startsWith("b.yaml:1: is not YAML: ");
    assertThat(loads).isEmpty();
  }

  @Test
  void directoryMustBeOne() throws Exception {
    Path file = write("a.yaml", limit("shop", 1));
    RuleException rejected =
        catchThrowableOfType(RuleException.class, () -> CurrentRules.load(file, listener));
    assertThat(rejected).hasMessage(file + ": is not a directory");
    Path missing = directory.resolve("missing");
    rejected =
        catchThrowableOfType(RuleException.class, () -> CurrentRules.load(missing, listener));
    assertThat(rejected).hasMessage(missing + ": directory does not exist");
  }

  @Test
  void unreadableFileIsAnError() throws Exception {
    Path file = write("a.yaml", limit("shop", 1));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(file), "skipped: this user may read all files");
    assertThat(errorsOfFirstLoad())
        .containsExactly("a.yaml: file cannot be read: permission denied");
  }

  @Test
  void filesThatCannotBeReadAreErrors() throws Exception {
    Files.createSymbolicLink(directory.resolve("loop.yaml"), Path.of("loop.yaml"));
    assertThat(new ProcessBuilder("mkfifo", directory.resolve("pipe.yaml").toString())
            .start()
            .waitFor())
        .isZero();
    assertThat(errorsOfFirstLoad())
        .containsExactly("loop.yaml: file cannot be read", "pipe.yaml: is not a regular file");
  }

  @Test
  void sizesAreBounded() throws Exception {
    write("a.yaml", limit("shop", 1));
    load();
    Path huge = directory.resolve("huge.yaml");
    try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
      file.setLength(1L << 40); // sparse: takes no space
    }
    read();
    assertThat(loads).last().isEqualTo("huge.yaml: file has more than 4194304 bytes");
    Files.delete(huge);
    for (int i = 0; i < 5; i++) {
      write("large" + i + ".yaml", "#".repeat(4 << 20));
    }
    read();
    assertThat(loads)
        .last()
        .isEqualTo(directory + ": rule files have more than 16777216 bytes in all");
    for (int i = 0; i < 1_000; i++) {
      write("large" + i + ".yaml", "");
    }
    read();
    assertThat(loads).last().isEqualTo(directory + ": directory has more than 1000 rule files");
    assertThat(limitOf("shop")).isEqualTo(1);
  }

  @Test
  void reloadLoadsAtOnceChangedOrNot() throws Exception {
    write("a.yaml", limit("shop", 1));
    load();
    rules.reload();
    write("a.yaml", limit("shop", 2));
    rules.reload();
    assertThat(limitOf("shop")).isEqualTo(2);
    write("a.yaml", BROKEN);
    rules.reload();
    rules.reload();
    assertThat(loads).hasSize(5);
    read();
    assertThat(loads).hasSize(5);
  }

  @Test
  void threadFollowsTheFilesUntilItIsClosed() throws Exception {
    write("a.yaml", limit("shop", 1));
    load();
    rules.start();
    write("a.yaml", limit("shop", 2));
    Waiting.untilPassed(
        Duration.ofSeconds(30), () -> assertThat(limitOf("shop")).isEqualTo(2));
    rules.close();
  }
}
