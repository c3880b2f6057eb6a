package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.RedisServer;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles and runs the Java examples of README.md and docs/library.md, the blocks of each page in
 * their order.
 */
class ReadmeTest {

  private static final String SAMPLE_URI = "redis://localhost:6379";
  private static final String SAMPLE_URL = "jdbc:mariadb://localhost:3306/tidegate?user=root";

  @Test
  void javaOfTheDocumentationCompilesAndRuns(@TempDir Path folder) throws Exception {
    String readme = javaOf(Path.of("..", "README.md"));
    String library = javaOf(Path.of("..", "docs", "library.md"));
    assertThat(readme).contains("RateLimiter.inMemory()");
    assertThat(library).contains(SAMPLE_URI, SAMPLE_URL);
    String code = "{" + readme + "}\n" + library;
    try (RedisServer origin = RedisServer.start();
        MariaDbServer database = MariaDbServer.start()) {
      compileAndRun(
          code.replace(SAMPLE_URI, origin.uri()).replace(SAMPLE_URL, database.jdbcUrl()), folder);
      assertThat(origin.call("KEYS", "tidegate:{eu:acme:*")).isNotEmpty();
      assertThat(database.query("SELECT region, identifier, count FROM ratelimit_window_counts"))
          .containsExactly(List.of("eu", "user_42", "2"));
    }
  }

  private static String javaOf(Path page) throws Exception {
    Matcher blocks =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(page));
    return blocks.results().map(block -> block.group(1)).collect(Collectors.joining("\n"));
  }

  private static void compileAndRun(String code, Path folder) throws Exception {
    Path source = folder.resolve("Readme.java");
    Files.writeString(source, """
        import io.tidegate.*;
        import io.tidegate.jdbc.*;
        import io.tidegate.model.*;
        import io.tidegate.redis.*;
        import io.tidegate.testing.*;
        import java.time.*;
        import java.util.*;
        import java.util.concurrent.*;

        public class Readme implements Callable<Void> {
          public Void call() throws Exception {
            %s
            if (!allowed || !both.allowed() || !admitted || !later.get()) {
              throw new AssertionError(allowed + ", " + both + ", " + admitted + ", " + later);
            }
            return null;
          }
        }
        """.formatted(code));
    assertThat(compile(source, folder)).isEmpty();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      ((Callable<?>) loader.loadClass("Readme").getDeclaredConstructor().newInstance()).call();
    }
  }

  private static String compile(Path source, Path folder) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of("-d", folder.toString(), "-classpath", System.getProperty("java.class.path"));
      compiler
          .getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
          .call();
    }
    return messages.toString();
  }
}
