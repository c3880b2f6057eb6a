package io.tidegate.server.rules;

import io.tidegate.rules.RuleError;
import io.tidegate.rules.RuleException;
import io.tidegate.rules.RuleFile;
import io.tidegate.rules.RuleSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Content of the rule files of a directory at one moment: all files {@code *.yaml} and
 * {@code *.yml} directly in it, except hidden ones. It is kept as bytes, so that changes are
 * detected by content, however the files were replaced.
 */
public final class RuleFiles {

  /** A thousand times the size of usual files; an endless file must not fill the memory. */
  static final int MAX_FILE_BYTES = 4 << 20;

  /** Bounds the memory that a set of files takes while it is followed. */
  static final int MAX_ALL_BYTES = 16 << 20;

  static final int MAX_FILES = 1_000;

  /**
   * The content of a file; equal to another one if the bytes are.
   *
   * @param bytes the bytes; none if the file could not be read
   * @param error why the file could not be read; null if it was
   */
  private record Content(ByteBuffer bytes, @Nullable String error) {

    RuleFile parse(String name) {
      return error == null
          ? RuleYaml.parse(name, bytes)
          : RuleFile.unreadable(name, new RuleError(name, 0, error));
    }
  }

  private final Path directory;

  /** By the name of the file. */
  private final Map<String, Content> files = new TreeMap<>();

  /** Why the directory could not be read; null if it was. */
  private @Nullable String error;

  private RuleFiles(Path directory) {
    this.directory = directory;
  }

  /** Reads the files of a directory without parsing them. {@link #load} reports failures. */
  public static RuleFiles read(Path directory) {
    RuleFiles read = new RuleFiles(directory);
    read.readAll();
    return read;
  }

  private void readAll() {
    long left = MAX_ALL_BYTES;
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, RuleFiles::isRuleFile)) {
      for (Path file : found) {
        if (files.size() == MAX_FILES) {
          error = "directory has more than %d rule files".formatted(MAX_FILES);
          return;
        }
        Content content = content(file);
        left -= content.bytes.remaining();
        if (left < 0) {
          error = "rule files have more than %d bytes in all".formatted(MAX_ALL_BYTES);
          return;
        }
        files.put(file.getFileName().toString(), content);
      }
      if (files.isEmpty()) {
        error = "directory has no files *.yaml";
      }
    } catch (NoSuchFileException e) {
      error = "directory does not exist";
    } catch (NotDirectoryException e) {
      error = "is not a directory";
    } catch (IOException | DirectoryIteratorException e) {
      error = "directory cannot be read";
    }
  }

  private static boolean isRuleFile(Path file) {
    String name = file.getFileName().toString();
    return (name.endsWith(".yaml") || name.endsWith(".yml"))
        && !name.startsWith(".")
        && !Files.isDirectory(file);
  }

  private static Content content(Path file) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      return unreadable("is not a regular file"); // to open a pipe would block
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
      return bytes.length <= MAX_FILE_BYTES
          ? new Content(ByteBuffer.wrap(bytes), null)
          : unreadable("file has more than %d bytes".formatted(MAX_FILE_BYTES));
    } catch (NoSuchFileException e) {
      return unreadable("file does not exist, or is a link to one that does not");
    } catch (AccessDeniedException e) {
      return unreadable("file cannot be read: permission denied");
    } catch (IOException e) {
      return unreadable("file cannot be read");
    }
  }

  private static Content unreadable(String error) {
    return new Content(ByteBuffer.allocate(0), error);
  }

  /**
   * Parses and checks the files.
   *
   * @return the rules of all files
   * @throws RuleException if a file is invalid or could not be read, with all errors
   */
  public RuleSet load() throws RuleException {
    if (error != null) {
      throw new RuleException(List.of(new RuleError(directory.toString(), 0, error)));
    }
    return RuleSet.of(files.entrySet().stream()
        .map(file -> file.getValue().parse(file.getKey()))
        .toList());
  }

  /** The number of files. */
  public int count() {
    return files.size();
  }

  /** Reads the same directory again. */
  RuleFiles readAgain() {
    return read(directory);
  }

  /** The directory that was read. */
  Path directory() {
    return directory;
  }

  /** Whether both have the same files with the same content. */
  boolean sameAs(RuleFiles other) {
    return Objects.equals(error, other.error) && files.equals(other.files);
  }
}
