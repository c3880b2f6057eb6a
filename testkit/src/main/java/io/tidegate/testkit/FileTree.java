package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;

/** Copies and deletes directories with their contents. */
final class FileTree {

  private FileTree() {}

  static void createParent(Path file) throws IOException {
    Files.createDirectories(Objects.requireNonNull(file.getParent(), "no parent"));
  }

  /** The target must not exist. */
  static void copy(Path source, Path target) {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, target.resolve(source.relativize(file).toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot copy " + source + " to " + target, e);
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
