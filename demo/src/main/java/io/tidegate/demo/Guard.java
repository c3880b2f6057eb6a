package io.tidegate.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * A shell that kills the processes of the demo if the demo itself is killed with SIGKILL. Its input
 * then ends without a last empty line. Thread-safe.
 */
final class Guard implements AutoCloseable {

  /**
   * Each line has the ids of all processes that run, so that an id which the system reuses for
   * another process is not in the last one. Ctrl-C signals this shell as well, which must outlive
   * the demo.
   */
  private static final String SCRIPT = """
      trap '' INT TERM HUP
      while read -r line; do last=$line; done
      [ -z "$last" ] || kill -9 $last
      """;

  private final Process shell;
  private final Writer input;

  Guard() {
    try {
      shell = new ProcessBuilder("sh", "-c", SCRIPT)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run sh", e);
    }
    input = shell.outputWriter(StandardCharsets.US_ASCII);
  }

  /** Replaces the processes to kill. */
  synchronized void watch(Collection<Long> pids) {
    try {
      input.write(pids.stream().map(String::valueOf).collect(Collectors.joining(" ", "", "\n")));
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the process that watches the demo has ended", e);
    }
  }

  /** Ends the shell; nothing is killed. */
  @Override
  public synchronized void close() {
    try {
      input.write("\n");
      input.close();
    } catch (IOException e) {
      // The shell has ended already.
    }
    shell.destroyForcibly().onExit().join();
  }
}
