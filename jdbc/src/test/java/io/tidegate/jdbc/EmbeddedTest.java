package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that has nothing but this module and its runtime dependencies. */
class EmbeddedTest {

  /**
   * Libraries that change how an application behaves or logs by being on its class path: Spring
   * Boot runs Flyway and configures H2 and pools where it finds them.
   */
  private static final List<String> UNWANTED = List.of("flyway", "h2", "HikariCP", "logback");

  /**
   * The class path of such an application, without the libraries that core's circuit breaker needs
   * and the counters do not: the driver would log through them.
   */
  private static List<Path> runtimeClassPath() throws IOException {
    List<Path> paths = new ArrayList<>(List.of(Path.of("target", "classes")));
    for (String path :
        Files.readString(Path.of("target", "runtime-class-path.txt")).split(File.pathSeparator)) {
      if (!path.matches(".*/(slf4j|resilience4j)-[^/]*")) {
        paths.add(Path.of(path));
      }
    }
    return paths;
  }

  @Test
  void bringsNothingThatChangesAnApplication() throws IOException {
    assertThat(runtimeClassPath())
        .extracting(path -> path.getFileName().toString())
        .anyMatch(name -> name.startsWith("mariadb-java-client"))
        .noneMatch(name -> UNWANTED.stream().anyMatch(name::startsWith));
  }

  @Test
  void worksAndPrintsNothing(@TempDir Path folder) throws Exception {
    String classPath = String.join(
        File.pathSeparator, runtimeClassPath().stream().map(Path::toString).toList());
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    try (MariaDbServer server = MariaDbServer.start()) {
      Process process = new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-cp",
              classPath + File.pathSeparator + Path.of("target", "test-classes"),
              EmbeddedTest.class.getName() + "$Application",
              server.jdbcUrl())
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

  /** Pushes a count, pulls it and prints it. */
  static final class Application {

    private Application() {}

    public static void main(String[] arguments) {
      WindowCell cell = WindowCell.at(
          new Series(new Scope("acme", "login", 3_600_000), "user"), System.currentTimeMillis());
      try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(arguments[0])) {
        counters
            .push(List.of(new Component("eu", cell, 7)))
            .toCompletableFuture()
            .join();
        counters
            .pull(
                GlobalCounters.EVERYTHING,
                System.currentTimeMillis(),
                component -> System.out.print("pulled " + component.count() + "\n"))
            .toCompletableFuture()
            .join();
      }
    }
  }
}
