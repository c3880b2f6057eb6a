package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.Cpu;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A JVM with the flags of this one, called over its standard streams: one answer for each request.
 */
final class ChildProcess implements AutoCloseable {

  private static final int STOPPING_SECONDS = 10;

  private final String name;
  private final Process process;
  private final Path errors;
  private final ObjectOutputStream requests;
  private final ObjectInputStream answers;

  private ChildProcess(String name, Process process, Path errors) throws IOException {
    this.name = name;
    this.process = process;
    this.errors = errors;
    this.requests = new ObjectOutputStream(process.getOutputStream());
    requests.flush();
    this.answers = new ObjectInputStream(process.getInputStream());
  }

  /** Runs a class. */
  static ChildProcess start(Class<?> main, String... arguments) {
    return start(List.of(), main, arguments);
  }

  /** Runs a class on one processor. */
  static ChildProcess startOn(int processor, Class<?> main, String... arguments) {
    return start(List.of("taskset", "-c", Integer.toString(processor)), main, arguments);
  }

  private static ChildProcess start(List<String> prefix, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    try {
      Path errors = Files.createTempFile("tidegate-http", ".log");
      Process process = new ProcessBuilder(command)
          .redirectError(Redirect.to(errors.toFile()))
          .start();
      try {
        return new ChildProcess(main.getSimpleName(), process, errors);
      } catch (IOException e) {
        process.destroy();
        throw new IllegalStateException(
            main.getSimpleName() + " did not start: " + Files.readString(errors), e);
      }
    } catch (IOException e) {
      throw new IllegalStateException(command.get(0) + " could not be run", e);
    }
  }

  /** Sends a request and waits for the answer. */
  <T> T call(Serializable request, Class<T> answer) {
    try {
      requests.writeObject(request);
      requests.flush();
    } catch (IOException e) {
      throw failed(e);
    }
    return receive(answer);
  }

  /** Waits for the next answer. */
  <T> T receive(Class<T> answer) {
    try {
      return answer.cast(answers.readObject());
    } catch (IOException | ClassNotFoundException e) {
      throw failed(e);
    }
  }

  private IllegalStateException failed(Exception failure) {
    try {
      return new IllegalStateException(name + " failed: " + Files.readString(errors), failure);
    } catch (IOException e) {
      failure.addSuppressed(e);
      return new IllegalStateException(name + " failed", failure);
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

  /** Closes its input, which ends the process, and kills it if it does not end in time. */
  @Override
  public void close() {
    try {
      requests.close();
    } catch (IOException e) {
      process.destroy(); // it has failed, and its caller has the reason
    }
    try {
      if (!process.waitFor(STOPPING_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    deleteErrors();
  }

  private void deleteErrors() {
    try {
      Files.deleteIfExists(errors);
    } catch (IOException e) {
      throw new IllegalStateException("cannot delete " + errors, e);
    }
  }

  /** The other end, in the child process. */
  static final class Parent {

    private final ObjectOutputStream answers;
    private final ObjectInputStream requests;

    /** Takes over the standard streams; other output goes to standard error. */
    Parent() throws IOException {
      PrintStream out = System.out;
      InputStream in = System.in;
      System.setOut(System.err);
      answers = new ObjectOutputStream(out);
      answers.flush();
      requests = new ObjectInputStream(in);
    }

    /** Waits for the next request; null at the end of the input. */
    @Nullable
    Object receive() throws IOException {
      try {
        return requests.readObject();
      } catch (EOFException e) {
        return null;
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }

    void send(Serializable answer) throws IOException {
      answers.writeObject(answer);
      answers.flush();
    }
  }
}
