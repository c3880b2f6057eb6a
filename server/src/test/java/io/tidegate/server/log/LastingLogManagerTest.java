package io.tidegate.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class LastingLogManagerTest {

  /** Logs while it ends, after Java had time to take the log away. */
  static final class Program {

    private Program() {}

    public static void main(String[] arguments) {
      System.setProperty(LastingLogManager.PROPERTY, LastingLogManager.class.getName());
      Logging.configure(LogFormat.TEXT, LogLevel.INFO, System.out);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (Logger.getLogger("").getHandlers().length > 0 && System.nanoTime() < end) {
          Thread.onSpinWait();
        }
        Log.info("stopped");
      }));
    }
  }

  @Test
  void theLogLastsUntilTheProcessHasEnded() throws Exception {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName())
        .redirectErrorStream(true)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output).endsWith("INFO  io.tidegate.server  stopped\n");
  }
}
