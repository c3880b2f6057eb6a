package io.tidegate.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** Where the programs of servers come from. */
final class Binaries {

  private Binaries() {}

  /**
   * The program that was named by the system property or the environment; else the one of a known
   * version that a jar brings along, so that all builds test the same; else one that is installed.
   */
  static Path find(String property, Supplier<Optional<Path>> unpacked, String... names) {
    return named(property)
        .or(unpacked)
        .or(() -> Arrays.stream(names).flatMap(name -> installed(name).stream()).findFirst())
        .orElseThrow(() -> new IllegalStateException("no " + names[0] + " for " + platform()
            + "; install one, or name it by the system property " + property));
  }

  /** As Go names them: the system and the processor, for example {@code linux-amd64}. */
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
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
