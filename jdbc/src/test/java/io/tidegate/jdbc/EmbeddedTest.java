package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.application.Application;
import io.tidegate.testkit.MariaDbServer;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application with only this module and its runtime dependencies. */
class EmbeddedTest {

  /**
   * Libraries for the server's catalog and log. Some of them change an application by their
   * presence on the class path: Spring Boot runs Flyway and configures H2 and connection pools when
   * it finds them.
   */
  private static final List<String> UNWANTED =
      List.of("flyway", "h2", "HikariCP", "logback", "slf4j", "sqlite");

  private static final Path TEST_CLASSES = Path.of("target", "test-classes");

  private static List<Path> runtimeClassPath() throws IOException {
    List<Path> paths = new ArrayList<>(List.of(Path.of("target", "classes")));
    String jars = Files.readString(Path.of("target", "runtime-class-path.txt"));
    for (String path : jars.split(File.pathSeparator, -1)) {
      paths.add(Path.of(path));
    }
    return paths;
  }

  @Test
  void hasNoDependencyThatChangesAnApplication() throws IOException {
    assertThat(runtimeClassPath())
        .extracting(path -> path.getFileName().toString())
        .anyMatch(name -> name.startsWith("mariadb-java-client"))
        .noneMatch(name -> UNWANTED.stream().anyMatch(name::startsWith));
  }

  /** Required by jlink. */
  @Test
  void dependsOnNamedModulesOnly() throws IOException {
    assertThat(ModuleFinder.of(runtimeClassPath().toArray(Path[]::new)).findAll())
        .extracting(ModuleReference::descriptor)
        .noneMatch(ModuleDescriptor::isAutomatic)
        .extracting(ModuleDescriptor::name)
        .contains("io.tidegate.jdbc", "io.tidegate.core", "org.mariadb.jdbc");
  }

  @Test
  void worksOnTheClassPathAndPrintsNothing(@TempDir Path folder) throws Exception {
    run(folder, "-cp", path(runtimeClassPath()) + File.pathSeparator + TEST_CLASSES);
  }

  @Test
  void worksOnTheModulePathAndPrintsNothing(@TempDir Path folder) throws Exception {
    run(
        folder,
        "--module-path",
        path(runtimeClassPath()),
        "--add-modules",
        "io.tidegate.jdbc",
        "-cp",
        TEST_CLASSES.toString());
  }

  private static String path(List<Path> paths) {
    return String.join(File.pathSeparator, paths.stream().map(Path::toString).toList());
  }

  private static void run(Path folder, String... options) throws Exception {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    try (MariaDbServer server = MariaDbServer.start()) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of(options));
      command.addAll(List.of(Application.class.getName(), server.jdbcUrl()));
      Process process = new ProcessBuilder(command)
          .redirectOutput(out.toFile())
          .redirectError(err.toFile())
          .start();
      try {
        assertThat(process.waitFor(Fleet.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } finally {
        process.destroyForcibly();
      }
      assertThat(Files.readString(err, StandardCharsets.UTF_8)).isEmpty();
      assertThat(Files.readString(out, StandardCharsets.UTF_8)).isEqualTo("pulled 7\n");
    }
  }
}
