package io.tidegate.benchmarks;

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

/** A JVM of its own, with the flags of this one, that is told things and answers each. */
final class HttpProcess implements AutoCloseable {

  /** Not bound to a processor. */
  static final int ANYWHERE = -1;

  private static final int STOPPING_SECONDS = 10;

  private final String name;
  private final Process process;
  private final Path errors;
  private final ObjectOutputStream orders;
  private final ObjectInputStream answers;

  private HttpProcess(String name, Process process, Path errors) throws IOException {
    this.name = name;
    this.process = process;
    this.errors = errors;
    this.orders = new ObjectOutputStream(process.getOutputStream());
    orders.flush();
    this.answers = new ObjectInputStream(process.getInputStream());
  }

  /** Runs a class, on this processor alone if one is given. */
  static HttpProcess start(Class<?> main, int processor, String... arguments) {
    List<String> command = new ArrayList<>();
    if (processor != ANYWHERE) {
      command.addAll(List.of("taskset", "-c", Integer.toString(processor)));
    }
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
        return new HttpProcess(main.getSimpleName(), process, errors);
      } catch (IOException e) {
        process.destroy();
        throw new IllegalStateException(
            main.getSimpleName() + " did not start: " + Files.readString(errors), e);
      }
    } catch (IOException e) {
      throw new IllegalStateException(command.get(0) + " could not be run", e);
    }
  }

  /** Tells it something, and waits for the answer. */
  <T> T ask(Serializable order, Class<T> answer) {
    try {
      orders.writeObject(order);
      orders.flush();
    } catch (IOException e) {
      throw failed(e);
    }
    return hear(answer);
  }

  /** Waits for what it says next. */
  <T> T hear(Class<T> answer) {
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

  /** What it has taken so far, in steps of 10 ms on Linux. */
  double cpuSeconds() {
    return process
        .info()
        .totalCpuDuration()
        .map(duration -> duration.toNanos() / 1e9)
        .orElseThrow(
            () -> new IllegalStateException("this system does not tell a process's CPU time"));
  }

  /** How much memory it has now, 0 where the system has no /proc to tell. */
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

  /** Lets it end, and ends it if it does not. */
  @Override
  public void close() {
    try (orders) {
      orders.flush();
    } catch (IOException e) {
      process.destroy(); // it is gone already, and whoever asked it was told why
    }
    try {
      if (!process.waitFor(STOPPING_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    errors.toFile().delete();
  }

  /** The other end: who started this JVM. */
  static final class Parent {

    private final ObjectOutputStream answers;
    private final ObjectInputStream orders;

    /** Takes the standard streams for itself; what others print goes with the errors. */
    Parent() throws IOException {
      PrintStream out = System.out;
      InputStream in = System.in;
      System.setOut(System.err);
      answers = new ObjectOutputStream(out);
      answers.flush();
      orders = new ObjectInputStream(in);
    }

    /** The next order; null if there will be none. */
    Object hear() throws IOException {
      try {
        return orders.readObject();
      } catch (EOFException e) {
        return null;
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }

    void tell(Serializable answer) throws IOException {
      answers.writeObject(answer);
      answers.flush();
    }
  }
}
