package io.tidegate.testkit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the redis-server to run: the one that was named, else the one of a known version that a jar
 * brings along.
 */
final class RedisBinary {

  /** As the jar names it; the version keeps what an older jar left in the cache from being used. */
  private static final String PREFIX = "redis-server-7.0.15-";

  private RedisBinary() {}

  static Path find() {
    String named =
        System.getProperty("tidegate.redis.binary", System.getenv("TIDEGATE_REDIS_BINARY"));
    if (named != null && !named.isEmpty()) {
      return Path.of(named);
    }
    return unpacked()
        .or(RedisBinary::installed)
        .orElseThrow(() -> new IllegalStateException("no redis-server for " + platform()
            + "; install one, or name it by the system property tidegate.redis.binary"));
  }

  private static Optional<Path> unpacked() {
    String name = PREFIX + platform();
    Path cached = cacheDirectory().resolve(name);
    if (Files.isExecutable(cached)) {
      return Optional.of(cached);
    }
    try (InputStream binary = RedisBinary.class.getResourceAsStream("/" + name)) {
      if (binary == null) {
        return Optional.empty();
      }
      unpack(binary, cached);
      return Optional.of(cached);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unpack " + cached, e);
    }
  }

  /**
   * Moved into place when complete: other processes may be doing the same, or be about to run it.
   */
  private static void unpack(InputStream binary, Path cached) throws IOException {
    Files.createDirectories(cached.getParent());
    Path temporary = Files.createTempFile(cached.getParent(), "redis-server-", ".part");
    try {
      Files.copy(binary, temporary, StandardCopyOption.REPLACE_EXISTING);
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx------"));
      Files.move(temporary, cached, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static Path cacheDirectory() {
    @Nullable String cache = System.getenv("XDG_CACHE_HOME");
    Path base = cache != null && Path.of(cache).isAbsolute()
        ? Path.of(cache)
        : Path.of(System.getProperty("user.home"), ".cache");
    return base.resolve("tidegate");
  }

  private static Optional<Path> installed() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(directory -> Path.of(directory, "redis-server"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static String platform() {
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
}
