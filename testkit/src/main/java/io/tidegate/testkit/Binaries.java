package io.tidegate.testkit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Finds and runs the programs of servers, and caches files that are slow to create. */
final class Binaries {

  private static final Path CACHE = Path.of(System.getProperty("user.home"), ".cache", "tidegate");

  private Binaries() {}

  /**
   * The program named by the system property; otherwise the one in a jar, whose version is known,
   * so that all builds test the same; otherwise an installed one.
   */
  static Path find(String property, Supplier<Optional<Path>> unpacked, String... names) {
    return Optional.ofNullable(System.getProperty(property))
        .map(Path::of)
        .or(unpacked)
        .or(() -> Stream.of(names).flatMap(Binaries::installed).findFirst())
        .orElseThrow(() -> new IllegalStateException("no " + names[0] + " for " + platform()
            + "; install one, or name it by the system property " + property));
  }

  /** Operating system and processor, such as {@code linux-amd64}. */
  static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String processor = System.getProperty("os.arch");
    return (system.startsWith("mac") ? "darwin" : system)
        + "-"
        + processor.replace("x86_64", "amd64").replace("aarch64", "arm64");
  }

  /** The executable files of this name on the PATH. */
  static Stream<Path> installed(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable);
  }

  /** Runs a program and returns its output. */
  static String run(Redirect input, List<String> command) {
    try {
      Process process = new ProcessBuilder(command)
          .redirectInput(input)
          .redirectErrorStream(true)
          .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.onExit().join().exitValue();
      if (code != 0) {
        throw new IllegalStateException(
            String.join(" ", command) + " ended with code " + code + ":\n" + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + command.get(0), e);
    }
  }

  /** Creates a file or directory at a path whose parent exists. */
  interface Creator {
    void create(Path target) throws IOException;
  }

  /**
   * A file or directory in the user's cache, created on first use. It is never created again, so
   * the name must contain the version of everything it is created from.
   */
  static synchronized Path cached(String name, Creator creator) {
    Path cached = CACHE.resolve(name);
    if (Files.exists(cached)) {
      return cached;
    }
    try {
      Files.createDirectories(CACHE);
      Path temporary = Files.createTempDirectory(CACHE, name + "-part-");
      try {
        creator.create(temporary.resolve(name));
        moveIntoPlace(temporary.resolve(name), cached);
      } finally {
        delete(temporary);
      }
      return cached;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create " + cached, e);
    }
  }

  /** Moves atomically: other processes may create or use the same file. */
  private static void moveIntoPlace(Path created, Path cached) throws IOException {
    try {
      Files.move(created, cached, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.exists(cached)) { // otherwise another process was faster
        throw e;
      }
    }
  }

  /** Copies a resource of the class path and makes it executable. */
  static void unpack(String resource, Path target) throws IOException {
    try (InputStream packed = Binaries.class.getResourceAsStream(resource)) {
      if (packed == null) {
        throw new IOException("not on the class path: " + resource);
      }
      Files.copy(packed, target);
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
    }
  }

  /** Deletes as much as possible: a temporary file that is left is no reason to fail a test. */
  static void delete(Path tree) {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("cannot delete " + tree + ": " + e);
    }
  }
}
