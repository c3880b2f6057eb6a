package io.tidegate.catalog;

import io.tidegate.testkit.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.sqlite.util.LibraryLoaderUtil;

/** A process that edits a catalog in a file and prints its results. */
final class CatalogProcess implements AutoCloseable {

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Thread reader;
  private String last = "";

  private CatalogProcess(String work, Path directory) throws IOException {
    this(work, directory, "unlimited", List.of());
  }

  /**
   * Starts a process.
   *
   * @param blocks maximum size of a file in blocks of 512 bytes; a write beyond it fails, as on a
   *     full disk
   */
  private CatalogProcess(String work, Path directory, String blocks, List<String> options)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(
        "sh",
        "-c",
        "ulimit -f " + blocks + " && exec \"$@\"",
        "sh",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx128m",
        "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.addAll(List.of(
        "-cp",
        System.getProperty("java.class.path"),
        CatalogProcess.class.getName(),
        work,
        directory.toString()));
    process = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
    reader = new Thread(this::read, "catalog-process");
    reader.setDaemon(true);
    reader.start();
  }

  /** Creates a key, prints its id and exits. */
  static CatalogProcess creatingAKey(Path directory) throws IOException {
    return new CatalogProcess("key", directory);
  }

  /** Creates the first workspace unless it exists, prints whether it did, and keeps running. */
  static CatalogProcess creatingTheFirst(Path directory) throws IOException {
    return new CatalogProcess("first", directory);
  }

  /** Edits and prints each version until it is stopped. */
  static CatalogProcess editing(Path directory) throws IOException {
    return new CatalogProcess("edit", directory);
  }

  /** Edits until the file is full, prints the failure, reads and exits. */
  static CatalogProcess filling(Path directory, int blocks) throws IOException {
    return new CatalogProcess(
        "fill",
        directory,
        Integer.toString(blocks),
        List.of("-Dorg.sqlite.lib.path=" + nativeLibrary(directory)));
  }

  /** The driver would extract its library, which is larger than the process may write. */
  private static Path nativeLibrary(Path directory) throws IOException {
    Path folder = Files.createDirectories(directory.resolve("lib"));
    String name = LibraryLoaderUtil.getNativeLibName();
    try (InputStream library = LibraryLoaderUtil.class.getResourceAsStream(
        LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name)) {
      Files.copy(library, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    return folder;
  }

  private void read() {
    try (BufferedReader output = process.inputReader()) {
      output.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add("failed: " + e);
    }
  }

  /** Waits for the next line of the output. */
  String line() throws InterruptedException {
    String line = lines.poll(Waiting.LONG.toSeconds(), TimeUnit.SECONDS);
    if (line == null) {
      throw new AssertionError("the other process printed nothing in time");
    }
    last = line;
    return line;
  }

  /** Waits for the end of the process and returns its last line. */
  String lastLine() throws InterruptedException {
    process.waitFor();
    reader.join();
    for (String line = lines.poll(); line != null; line = lines.poll()) {
      last = line;
    }
    return last;
  }

  /** Sends SIGKILL. */
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    process.waitFor();
  }

  /** Sends SIGTERM. */
  int terminate() throws InterruptedException {
    process.toHandle().destroy(); // unlike Process.destroy, leaves the output open
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
        case "key" -> System.out.println(createKey(catalog));
        case "first" -> {
          System.out.println(catalog.createFirst(Set.of("*")).isPresent());
          System.in.read(); // until the parent process ends
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

  private static String createKey(Catalog catalog) throws SQLException {
    String workspace = catalog.changesSince(0).workspaces().get(0).id();
    return catalog
        .createKey(workspace, "created by another process", Set.of("*"))
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
