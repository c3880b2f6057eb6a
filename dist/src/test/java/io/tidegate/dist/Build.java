package io.tidegate.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files that the build has packaged. */
final class Build {

  static final String VERSION = System.getProperty("tidegate.version");
  static final Path ZIP = file(".zip");
  static final Path TAR = file(".tar.gz");
  static final Path TAR_WITH_RUNTIME = file("-" + System.getProperty("dist.platform") + ".tar.gz");
  static final Path IMAGE = file("-image.tar");

  private Build() {}

  private static Path file(String suffix) {
    return Path.of("target", "tidegate-" + VERSION + suffix).toAbsolutePath();
  }

  /** Unpacks an archive of the distribution and returns its only folder. */
  static Path unpack(Path archive, Path directory) throws IOException, InterruptedException {
    if (archive.equals(ZIP)) {
      run("jar", List.of(java("jar"), "xf", archive.toString()), directory);
    } else {
      untar(archive, directory);
    }
    Path folder = directory.resolve("tidegate-" + VERSION);
    assertThat(directory).isDirectoryNotContaining(path -> !path.equals(folder));
    return folder;
  }

  static void untar(Path archive, Path directory) throws IOException, InterruptedException {
    run("tar", List.of("tar", "-xf", archive.toString()), directory);
  }

  /** A program of the JDK that runs the tests. */
  static String java(String program) {
    return Path.of(System.getProperty("java.home"), "bin", program).toString();
  }

  private static void run(String what, List<String> command, Path directory)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(what, ".log");
    Process process = new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
    assertThat(process.waitFor()).as(() -> read(output)).isZero();
    Files.delete(output);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
