package io.tidegate.benchmarks.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
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
 * A server in a JVM with the flags of this one. Its main class prints a line when it has started
 * and one for each line that it reads, and ends with its input; {@link #run} does what is common.
 */
public final class ServerJvm implements AutoCloseable {

  private static final int STOP_SECONDS = 10;

  private final Path directory = Files.createTempDirectory("tidegate-bench");
  private final Path errors = directory.resolve("errors.log");
  private final Process process;
  private final BufferedReader answers;

  /**
   * Starts a server with the class path of this JVM.
   *
   * @param prefix of the command line, like {@code taskset}
   * @param arguments of the main class; one more follows, an empty directory for data
   */
  public ServerJvm(String[] prefix, Class<?> main, String... arguments) throws IOException {
    this(prefix, System.getProperty("java.class.path"), main.getName(), arguments);
  }

  /** Starts a server with a class path of its own. */
  public ServerJvm(String[] prefix, String classPath, String main, String... arguments)
      throws IOException {
    Path data = Files.createDirectory(directory.resolve("data"));
    List<String> command = new ArrayList<>(List.of(prefix));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(List.of(arguments));
    command.add(data.toString());
    this.process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Reads the next line that the server prints, split at its first space. */
  public String[] readAnswer() throws IOException {
    String answer = answers.readLine();
    if (answer == null) {
      String message = Files.readString(errors);
      close();
      throw new IllegalStateException("the server failed: " + message);
    }
    return answer.split(" ", 2);
  }

  /** Sends the server an empty line and reads its answer. */
  public String[] ask() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    return readAnswer();
  }

  public ProcessHandle process() {
    return process.toHandle();
  }

  /** Resident memory; NaN on systems without /proc. */
  public double residentBytes() {
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
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS).join();
    process.destroyForcibly().onExit().join();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The work of a server: prints answers until its input ends. */
  public interface Work {
    void run(PrintStream answers) throws Exception;
  }

  /** Runs the work of a server and ends the JVM, in the process of the server. */
  public static void run(Work work) {
    PrintStream answers = System.out;
    System.setOut(System.err); // other output must not mix with the answers
    try {
      work.run(answers);
      System.exit(0); // stops the event loops
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(1);
    }
  }
}
