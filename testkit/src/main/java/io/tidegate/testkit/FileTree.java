package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Whole directories, with all that is in them. */
final class FileTree {

  private FileTree() {}

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

  /** As much of it as can be deleted: a file that is left is no reason to fail a test. */
  static void delete(Path tree) {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // It lies among the temporary files, and somebody will clean up there.
    }
  }
}
