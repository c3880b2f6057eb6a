package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The signals that Java cannot send. */
enum Signal {
  STOP,
  CONT;

  private static final Duration BOUND = Duration.ofSeconds(10);

  /** Returns when the signal has taken effect, as far as the system tells. */
  void sendTo(Process process) {
    String pid = Long.toString(process.pid());
    // The shell's own kill: a separate program of this name is not installed everywhere.
    Process kill = run("sh", "-c", "kill -s " + this + " " + pid);
    if (!Waiting.until(BOUND, () -> !kill.isAlive()) || kill.exitValue() != 0) {
      kill.destroyForcibly();
      throw new IllegalStateException("cannot send " + this + " to process " + pid);
    }
    if (!Waiting.until(BOUND, () -> isStopped(pid) == (this == STOP))) {
      throw new IllegalStateException("process " + pid + " ignores " + this);
    }
  }

  /** Where there is no /proc to tell, the signal is believed to have worked. */
  private boolean isStopped(String pid) {
    try {
      String status = Files.readString(Path.of("/proc", pid, "stat"), StandardCharsets.ISO_8859_1);
      return status.charAt(status.lastIndexOf(')') + 2)
          == 'T'; // the state comes after the name, "(redis-server)"
    } catch (IOException e) {
      return this == STOP;
    }
  }

  private static Process run(String... command) {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + command[0], e);
    }
  }
}
