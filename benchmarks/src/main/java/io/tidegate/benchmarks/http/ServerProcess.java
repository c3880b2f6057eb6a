package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.Cpu;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server in a JVM with the flags of this one. {@link ServerMain} is the other end: it prints a
 * line with its address, and for each line that it reads, a line with its memory usage.
 */
final class ServerProcess implements AutoCloseable {

  /** The servers that are compared. */
  enum Kind {
    TIDEGATE("Tidegate"),
    CONSTANT("a constant");

    final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  /** Port and root key. */
  record Address(int port, String secret) {}

  /** Live heap and number of series. */
  record Usage(long heapBytes, long series) {}

  private static final int STOP_SECONDS = 10;

  private final Kind kind;
  private final Path directory;
  private final Process process;
  private final BufferedReader answers;
  private final Address address;

  private ServerProcess(Kind kind, int eventLoops, String... prefix) throws IOException {
    this.kind = kind;
    this.directory = Files.createTempDirectory("tidegate-http");
    List<String> command = new ArrayList<>(List.of(prefix));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ServerMain.class.getName(), kind.name(), Integer.toString(eventLoops)));
    command.add(directory.resolve("data").toString());
    this.process = new ProcessBuilder(command).redirectError(errors().toFile()).start();
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    String[] answer = readAnswer();
    this.address = new Address(Integer.parseInt(answer[0]), answer[1]);
  }

  /** Starts a server with a prefix of its command line, like {@code taskset}. */
  static ServerProcess start(Kind kind, int eventLoops, String... prefix) {
    try {
      return new ServerProcess(kind, eventLoops, prefix);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a server", e);
    }
  }

  private Path errors() {
    return directory.resolve("errors.log");
  }

  private String[] readAnswer() throws IOException {
    String answer = answers.readLine();
    if (answer == null) {
      String errors = Files.readString(errors());
      close();
      throw new IllegalStateException("the server failed: " + errors);
    }
    return answer.split(" ", 2);
  }

  Kind kind() {
    return kind;
  }

  Address address() {
    return address;
  }

  Usage usage() {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      String[] answer = readAnswer();
      return new Usage(Long.parseLong(answer[0]), Long.parseLong(answer[1]));
    } catch (IOException e) {
      throw new UncheckedIOException("the server failed", e);
    }
  }

  double cpuSeconds() {
    return Cpu.seconds(process.toHandle());
  }

  /** Resident memory; NaN on systems without /proc. */
  double residentBytes() {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> 1024 * Double.parseDouble(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(Double.NaN);
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  /** Closes the input of the server, which ends it, and kills it if it does not end in time. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      process
          .onExit()
          .completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS)
          .join();
      process.destroyForcibly().onExit().join();
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot stop the server", e);
    }
  }
}
