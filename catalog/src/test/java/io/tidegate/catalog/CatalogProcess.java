package io.tidegate.catalog;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A JVM of its own that edits a catalog in a file and says what it has done. */
final class CatalogProcess implements AutoCloseable {

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Thread reader;
  private String last = "";

  private CatalogProcess(String work, Path directory) throws IOException {
    this(work, directory, "unlimited");
  }

  /**
   * Starts a process.
   *
   * @param blocks the most blocks of 512 bytes that a file of it may have: a write beyond fails, as
   *     on a full disk
   */
  private CatalogProcess(String work, Path directory, String blocks) throws IOException {
    process = new ProcessBuilder(
            "sh",
            "-c",
            "ulimit -f " + blocks + " && exec \"$@\"",
            "sh",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            CatalogProcess.class.getName(),
            work,
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
    reader = new Thread(this::read, "catalog-process");
    reader.setDaemon(true);
    reader.start();
  }

  /** One that makes a key, says its id, and ends. */
  static CatalogProcess makingAKey(Path directory) throws IOException {
    return new CatalogProcess("key", directory);
  }

  /** One that makes the first workspace unless there is one, says whether it did, and stays. */
  static CatalogProcess makingTheFirst(Path directory) throws IOException {
    return new CatalogProcess("first", directory);
  }

  /** One that says each version that it has made, and goes on until it is ended. */
  static CatalogProcess editing(Path directory) throws IOException {
    return new CatalogProcess("edit", directory);
  }

  /** One that edits until the file is full, says what the edit failed with, reads, and ends. */
  static CatalogProcess filling(Path directory, int blocks) throws IOException {
    return new CatalogProcess("fill", directory, Integer.toString(blocks));
  }

  private void read() {
    try (BufferedReader output = process.inputReader()) {
      output.lines().forEach(lines::add);
    } catch (IOException | java.io.UncheckedIOException e) {
      lines.add("failed: " + e);
    }
  }

  /** What it says next. */
  String line() throws InterruptedException {
    String line = lines.poll(Waiting.LONG.toSeconds(), TimeUnit.SECONDS);
    if (line == null) {
      throw new AssertionError("the other process says nothing");
    }
    last = line;
    return line;
  }

  /** What it said last, when it has ended. */
  String lastLine() throws InterruptedException {
    process.waitFor();
    reader.join();
    for (String line = lines.poll(); line != null; line = lines.poll()) {
      last = line;
    }
    return last;
  }

  /** Ends it as nobody can prepare for. */
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    process.waitFor();
  }

  /** Asks it to end. */
  int end() throws InterruptedException {
    process.toHandle().destroy(); // which leaves its output to be read
    return process.waitFor();
  }

  int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] arguments) throws SQLException, IOException {
    String url = Catalog.urlOfFile(Path.of(arguments[1]));
    try (Catalog catalog = Catalog.open(url, null, null, true)) {
      switch (arguments[0]) {
        case "key" -> System.out.println(makeKey(catalog));
        case "first" -> {
          System.out.println(catalog.createFirst(Set.of("*")).isPresent());
          System.in.read(); // until whoever started it is gone
        }
        case "edit" -> edit(catalog);
        case "fill" -> {
          System.out.println(catalog.version());
          try {
            edit(catalog);
          } catch (SQLException e) {
            System.out.println(e.getMessage());
          }
          System.out.println(catalog.changesSince(0).overrides().size());
        }
        default -> throw new IllegalArgumentException(List.of(arguments).toString());
      }
    }
  }

  private static String makeKey(Catalog catalog) throws SQLException {
    String workspace = catalog.changesSince(0).workspaces().get(0).id();
    return catalog
        .createKey(workspace, "made by another process", Set.of("*"))
        .key()
        .id();
  }

  private static void edit(Catalog catalog) throws SQLException {
    Workspace workspace = catalog.createWorkspace("edited", null);
    Namespace namespace = catalog.createNamespace(workspace.id(), "login", "process");
    for (int i = 0; ; i++) {
      System.out.println(
          catalog.setOverride(namespace.id(), "user " + i, i, 1_000, "process").version());
    }
  }
}
