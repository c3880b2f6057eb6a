package io.tidegate.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Lines that are logged while the JVM shuts down. */
class ShutdownLogTest {

  /** Logs from a shutdown hook, with both APIs. */
  static final class Program {

    private Program() {}

    public static void main(String[] arguments) {
      Logging.configure(LogFormat.TEXT, LogLevel.INFO, System.out);
      LoggerFactory.getLogger("some.library").info("running");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> {
        pause(); // gives other shutdown hooks, such as that of java.util.logging, time to run
        System.getLogger("io.tidegate").log(System.Logger.Level.WARNING, "not sent");
        Log.info("stopped");
      }));
    }

    private static void pause() {
      try {
        Thread.sleep(500);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void areWritten() throws Exception {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName())
        .redirectErrorStream(true)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output.lines())
        .satisfiesExactly(
            line -> assertThat(line).endsWith("INFO  some.library  running"),
            line -> assertThat(line).endsWith("WARN  io.tidegate  not sent"),
            line -> assertThat(line).endsWith("INFO  io.tidegate.server  stopped"));
  }
}
