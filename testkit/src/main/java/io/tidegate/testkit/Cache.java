package io.tidegate.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** Files that are made once and kept for later runs, in the user's directory for such. */
final class Cache {

  /** Makes what is missing in the cache; the parent of the target exists, and is deleted later. */
  interface Maker {
    void make(Path target) throws IOException;
  }

  private Cache() {}

  /**
   * The file or directory of this name. What it is made from should be part of the name: it is
   * never made again.
   */
  static synchronized Path get(String name, Maker maker) {
    Path cached = directory().resolve(name);
    if (Files.exists(cached)) {
      return cached;
    }
    try {
      Files.createDirectories(cached.getParent());
      Path temporary = Files.createTempDirectory(cached.getParent(), name + "-part-");
      try {
        maker.make(temporary.resolve(name));
        moveIntoPlace(temporary.resolve(name), cached);
      } finally {
        FileTree.delete(temporary);
      }
      return cached;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make " + cached, e);
    }
  }

  /** Copies what a jar on the class path brings along, and makes it executable. */
  static void unpack(String resource, Path target) throws IOException {
    try (InputStream packed = Cache.class.getResourceAsStream(resource)) {
      if (packed == null) {
        throw new IOException("not on the class path: " + resource);
      }
      Files.createDirectories(target.getParent());
      Files.copy(packed, target);
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
    }
  }

  /** At once and when complete: other processes may be doing the same, or be about to use it. */
  private static void moveIntoPlace(Path made, Path cached) throws IOException {
    try {
      Files.move(made, cached, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.exists(cached)) { // else another process was quicker; a directory is not replaced
        throw e;
      }
    }
  }

  private static Path directory() {
    @Nullable String cache = System.getenv("XDG_CACHE_HOME");
    Path base = cache != null && Path.of(cache).isAbsolute()
        ? Path.of(cache)
        : Path.of(System.getProperty("user.home"), ".cache");
    return base.resolve("tidegate");
  }
}
