package io.tidegate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuardTest {

  /**
   * Starts two processes, of which the second is guarded, prints their ids, and reads its input.
   */
  static final class Guarded {

    private Guarded() {}

    public static void main(String[] arguments) throws IOException {
      Process first = sleeping();
      Process second = sleeping();
      try (Guard guard = new Guard()) {
        guard.watch(List.of(first.pid()));
        guard.watch(List.of(second.pid()));
        System.out.println(first.pid());
        System.out.println(second.pid());
        System.in.read();
      }
    }

    private static Process sleeping() throws IOException {
      return new ProcessBuilder("sleep", "600").start();
    }
  }

  @Test
  void killsTheProcessesOfTheLastListWhenTheJvmIsKilled() throws IOException {
    Process jvm = start();
    List<ProcessHandle> processes = processes(jvm);
    try {
      jvm.destroyForcibly().onExit().join();
      Waiting.await("the end of the guarded process", () -> !processes.get(1).isAlive());
      assertThat(processes.get(0).isAlive()).isTrue();
    } finally {
      processes.forEach(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void killsNothingWhenItIsClosed() throws IOException {
    Process jvm = start();
    List<ProcessHandle> processes = processes(jvm);
    try {
      jvm.getOutputStream().close(); // ends its input, and so the JVM
      jvm.onExit().join();
      assertThat(processes).allMatch(ProcessHandle::isAlive);
    } finally {
      processes.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private static Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Guarded.class.getName())
        .start();
  }

  private static List<ProcessHandle> processes(Process jvm) throws IOException {
    BufferedReader lines = jvm.inputReader(StandardCharsets.US_ASCII);
    return List.of(process(lines.readLine()), process(lines.readLine()));
  }

  private static ProcessHandle process(String pid) {
    return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
  }
}
