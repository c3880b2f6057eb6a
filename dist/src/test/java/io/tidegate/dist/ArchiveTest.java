package io.tidegate.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The archives, unpacked and started in an empty folder. */
@Timeout(180)
class ArchiveTest {

  @TempDir
  private Path directory;

  private Path work;

  @BeforeEach
  void createEmptyFolder() throws IOException {
    work = Files.createDirectory(directory.resolve("work"));
  }

  static List<Path> archivesForAnyPlatform() {
    return List.of(Build.ZIP, Build.TAR);
  }

  @ParameterizedTest
  @MethodSource("archivesForAnyPlatform")
  void needsNothingButJava(Path archive) throws IOException, InterruptedException {
    Path home = unpack(archive);
    assertThat(home.resolve("runtime")).doesNotExist();
    Map<String, String> java = Map.of("TIDEGATE_JAVA_HOME", System.getProperty("java.home"));
    try (Program server = start(java, home, Program.SERVE)) {
      assertDecides(server);
      assertThat(server.err()).contains(" started version=" + Build.VERSION);
    }
  }

  @Test
  void archiveWithARuntimeNeedsNoJava() throws IOException, InterruptedException {
    Path home = unpack(Build.TAR_WITH_RUNTIME);
    Path rules = Files.createDirectory(directory.resolve("rules"));
    Files.writeString(rules.resolve("api.yaml"), """
        domain: api
        descriptors:
          - key: path
            rate_limit: {unit: minute, requests_per_unit: 10}
        """);
    List<String> arguments = Stream.concat(
            Program.SERVE.stream(),
            Stream.of("--config=" + home.resolve("tidegate.yaml"), "--rules=" + rules))
        .toList();
    try (Program server = start(Map.of(), home, arguments)) {
      assertThat(server.decide().statusCode()).isEqualTo(200);
      assertThat(server.executable()).isEqualTo(home.toRealPath().resolve("runtime/bin/java"));
      assertThat(server.out()).contains("rules       1 in " + rules);
      assertStops(server);
    }
  }

  @Test
  void archiveWithARuntimeUsesItsCache() throws IOException, InterruptedException {
    Path home = unpack(Build.TAR_WITH_RUNTIME);
    boolean cached = Files.exists(home.resolve("lib/tidegate-server.jar.aot"));
    assertThat(cached).isEqualTo(feature(home.resolve("runtime")) >= 25);
    // Fails if there is a cache and the JVM rejects it.
    Map<String, String> required = cached ? Map.of("JDK_JAVA_OPTIONS", "-XX:AOTMode=on") : Map.of();
    try (Program version = start(required, home, List.of("--version"))) {
      assertThat(version.exitCode()).as(version::toString).isZero();
      assertThat(version.out()).startsWith("tidegate " + Build.VERSION + " (commit ");
    }
  }

  /** As after {@code cp -r}. */
  @Test
  void jarWithAnotherTimeRunsWithoutTheCache() throws IOException, InterruptedException {
    Path home = unpack(Build.TAR_WITH_RUNTIME);
    for (Path file : List.of(
        home.resolve("lib/tidegate-server.jar"), home.resolve("lib/tidegate-server.jar.aot"))) {
      if (Files.exists(file)) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
      }
    }
    try (Program version = start(Map.of(), home, List.of("--version"))) {
      assertThat(version.exitCode()).isZero();
      assertThat(version.out()).startsWith("tidegate ").hasLineCount(1);
      assertThat(version.err()).isEmpty();
    }
  }

  private static int feature(Path runtime) throws IOException {
    String version = Files.readAllLines(runtime.resolve("release")).stream()
        .filter(line -> line.startsWith("JAVA_VERSION="))
        .findFirst()
        .orElseThrow();
    return Integer.parseInt(version.replaceFirst("JAVA_VERSION=\"(\\d+).*", "$1"));
  }

  @Test
  void commandsOfTheSourcesAreHidden() throws IOException, InterruptedException {
    Path home = unpack(Build.TAR);
    Map<String, String> java = Map.of("TIDEGATE_JAVA_HOME", System.getProperty("java.home"));
    try (Program help = start(java, home, List.of("--help"))) {
      assertThat(help.exitCode()).isZero();
      assertThat(help.out()).contains("  serve ", "  aot ", "  cleanup ", "TIDEGATE_JAVA_HOME");
      assertThat(help.out()).doesNotContain("demo", "bench", "simulate", "Measure");
    }
    try (Program demo = start(java, home, List.of("demo"))) {
      assertThat(demo.exitCode()).isEqualTo(1);
      assertThat(demo.err()).contains("the distribution has the server only").hasLineCount(1);
    }
  }

  @Test
  void hasTheLicenseOfEveryLibraryOfTheBillOfMaterials() throws IOException, InterruptedException {
    Path home = unpack(Build.TAR);
    JsonObject bill = new JsonObject(Files.readString(home.resolve("tidegate.cdx.json")));
    assertThat(bill.getString("bomFormat")).isEqualTo("CycloneDX");
    List<String> libraries = bill.getJsonArray("components").stream()
        .map(JsonObject.class::cast)
        .filter(library -> library.containsKey("licenses"))
        .map(library -> library.getString("group") + ":" + library.getString("name"))
        .filter(library -> !library.startsWith("io.tidegate:"))
        .toList();
    assertThat(libraries).hasSizeGreaterThan(40).hasSize(jarsOf(bill));
    List<String> listed = thirdParty(Files.readString(home.resolve("THIRD-PARTY.txt")));
    assertThat(libraries)
        .allMatch(library -> listed.stream()
            .anyMatch(name -> name.endsWith("*")
                ? library.startsWith(name.substring(0, name.length() - 1))
                : library.equals(name)));
    assertThat(home.resolve("LICENSE")).hasSameTextualContentAs(Path.of("../LICENSE"));
    assertThat(home.resolve("licenses"))
        .isDirectoryContaining("glob:**/Apache-2.0.txt")
        .isDirectoryContaining("glob:**/EPL-2.0.txt")
        .isDirectoryContaining("glob:**/LGPL-2.1.txt")
        .isDirectoryContaining("glob:**/MIT.txt")
        .isDirectoryContaining("glob:**/slf4j-api-*");
  }

  private static int jarsOf(JsonObject bill) {
    return (int) bill.getJsonArray("components").stream()
        .filter(library -> !((JsonObject) library).getString("group").equals("io.tidegate"))
        .count();
  }

  /** The names of a text such as {@code org.slf4j:slf4j-api and slf4j-simple, io.netty:*}. */
  private static List<String> thirdParty(String text) {
    List<String> names = new ArrayList<>();
    String previous = "";
    String group = "";
    for (String word : text.split("[\\s,]+", -1)) {
      if (word.contains(":")) {
        names.add(word);
        group = word.substring(0, word.indexOf(':'));
      } else if (previous.equals("and")) {
        names.add(group + ":" + word);
      }
      previous = word;
    }
    return names;
  }

  /** What would differ between two builds of one commit. */
  @Test
  void filesHaveTheTimeOfTheReleaseAndNoOwner() throws IOException, InterruptedException {
    String time = Instant.parse(System.getProperty("release.time"))
        .toString()
        .replaceFirst("(.*)T(..:..):.*", "$1 $2");
    for (Path archive : List.of(Build.TAR, Build.TAR_WITH_RUNTIME)) {
      try (Program list =
          Program.start(work, Map.of("TZ", "UTC"), List.of("tar", "-tvf", archive.toString()))) {
        assertThat(list.exitCode()).isZero();
        assertThat(list.out().lines())
            .hasSizeGreaterThan(20)
            .allMatch(line -> line.matches("\\S{10} +root/root +\\d+ " + time + " .*"));
      }
    }
  }

  private Path unpack(Path archive) throws IOException, InterruptedException {
    return Build.unpack(archive, Files.createDirectory(directory.resolve("unpacked")));
  }

  private Program start(Map<String, String> environment, Path home, List<String> arguments)
      throws IOException {
    Path launcher = home.resolve("tidegate");
    // Only the zip was unpacked by a program that ignores modes.
    Stream<String> command = Files.isExecutable(launcher)
        ? Stream.of(launcher.toString())
        : Stream.of("sh", launcher.toString());
    return Program.start(
        work, environment, Stream.concat(command, arguments.stream()).toList());
  }

  private static void assertDecides(Program server) throws IOException, InterruptedException {
    assertThat(server.decide().body()).contains("\"success\":true");
    assertThat(server.decide().body()).contains("\"success\":false");
    assertThat(server.get(server.adminUrl() + "/ready")).isEqualTo(200);
    assertStops(server);
  }

  private static void assertStops(Program server) throws IOException, InterruptedException {
    assertThat(server.stop()).as(server::toString).isZero();
    assertThat(server.err()).doesNotContain(" WARN ", " ERROR ", "WARNING");
  }
}
