package io.tidegate.testkit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds the programs of servers, and caches files that are slow to create. */
final class Binaries {

  private Binaries() {}

  /**
   * The program named by the system property or the environment; otherwise the one in a jar, whose
   * version is known, so that all builds test the same; otherwise an installed one.
   */
  static Path find(String property, Supplier<Optional<Path>> unpacked, String... names) {
    return named(property)
        .or(unpacked)
        .or(() -> Arrays.stream(names).flatMap(name -> installed(name).stream()).findFirst())
        .orElseThrow(() -> new IllegalStateException("no " + names[0] + " for " + platform()
            + "; install one, or name it by the system property " + property));
  }

  /** Operating system and processor, such as {@code linux-amd64}. */
  static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String architecture = System.getProperty("os.arch");
    return (system.startsWith("mac") ? "darwin" : system)
        + "-"
        + switch (architecture) {
          case "x86_64" -> "amd64";
          case "aarch64" -> "arm64";
          case "i386", "x86" -> "386";
          default -> architecture;
        };
  }

  private static Optional<Path> named(String property) {
    String variable = property.toUpperCase(Locale.ROOT).replace('.', '_');
    return Optional.ofNullable(System.getProperty(property, System.getenv(variable)))
        .filter(name -> !name.isEmpty())
        .map(Path::of);
  }

  private static Optional<Path> installed(String name) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
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
    Path cached = cacheDirectory().resolve(name);
    if (Files.exists(cached)) {
      return cached;
    }
    try {
      Files.createDirectories(cacheDirectory());
      Path temporary = Files.createTempDirectory(cacheDirectory(), name + "-part-");
      try {
        creator.create(temporary.resolve(name));
        moveIntoPlace(temporary.resolve(name), cached);
      } finally {
        FileTree.delete(temporary);
      }
      return cached;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create " + cached, e);
    }
  }

  /** Copies a resource of the class path and makes it executable. */
  static void unpack(String resource, Path target) throws IOException {
    try (InputStream packed = Binaries.class.getResourceAsStream(resource)) {
      if (packed == null) {
        throw new IOException("not on the class path: " + resource);
      }
      FileTree.createParent(target);
      Files.copy(packed, target);
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
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

  private static Path cacheDirectory() {
    @Nullable String cache = System.getenv("XDG_CACHE_HOME");
    Path base = cache != null && Path.of(cache).isAbsolute()
        ? Path.of(cache)
        : Path.of(System.getProperty("user.home"), ".cache");
    return base.resolve("tidegate");
  }
}
