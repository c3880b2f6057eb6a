package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.Cpu;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server in a JVM with the flags of this one. {@link ServerMain} is the other end: it prints a
 * line with its address, and for each line that it reads, a line with its memory usage.
 */
final class ServerProcess implements AutoCloseable {

  /** Port and root key. */
  record Address(int port, String secret) {}

  /** Live heap and number of series. */
  record Usage(long heapBytes, long series) {}

  private static final int STOP_SECONDS = 10;

  private final Process process;
  private final Path errors;
  private final OutputStream requests;
  private final BufferedReader answers;

  private ServerProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.requests = process.getOutputStream();
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Starts a server with a prefix of its command line, like {@code taskset}. */
  static ServerProcess start(List<String> prefix, String... arguments) {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ServerMain.class.getName()));
    command.addAll(List.of(arguments));
    try {
      Path errors = Files.createTempFile("tidegate-http", ".log");
      Process process = new ProcessBuilder(command)
          .redirectError(Redirect.to(errors.toFile()))
          .start();
      return new ServerProcess(process, errors);
    } catch (IOException e) {
      throw new IllegalStateException(command.get(0) + " could not be run", e);
    }
  }

  /** Waits for the server to start. Call it once. */
  Address awaitAddress() {
    String[] answer = readAnswer();
    return new Address(Integer.parseInt(answer[0]), answer[1]);
  }

  Usage usage() {
    try {
      requests.write('\n');
      requests.flush();
    } catch (IOException e) {
      throw failed(e);
    }
    String[] answer = readAnswer();
    return new Usage(Long.parseLong(answer[0]), Long.parseLong(answer[1]));
  }

  private String[] readAnswer() {
    try {
      String answer = answers.readLine();
      if (answer == null) {
        throw failed(null);
      }
      return answer.split(" ", 2);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private IllegalStateException failed(@Nullable Exception cause) {
    try {
      return new IllegalStateException("the server failed: " + Files.readString(errors), cause);
    } catch (IOException e) {
      return new IllegalStateException("the server failed, and its errors cannot be read", e);
    }
  }

  double cpuSeconds() {
    return Cpu.seconds(process.toHandle());
  }

  /** Resident memory; 0 on systems without /proc. */
  long residentBytes() {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.exists(status)) {
      return 0;
    }
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Closes the input of the server, which ends it, and kills it if it does not end in time. */
  @Override
  public void close() {
    try {
      requests.close();
    } catch (IOException e) {
      process.destroyForcibly(); // it has failed before, and its caller has the reason
    }
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      Files.deleteIfExists(errors);
    } catch (IOException e) {
      throw new IllegalStateException("cannot delete " + errors, e);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
