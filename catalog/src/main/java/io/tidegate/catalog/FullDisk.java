package io.tidegate.catalog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.util.List;
import org.h2.api.ErrorCode;

/**
 * Recognizes failures of a catalog in a file for which a full disk is to blame, and explains them
 * without the internals of H2.
 */
final class FullDisk {

  /** What operating systems say of a full disk, a quota and a limit on the size of a file. */
  private static final List<String> REASONS = List.of(
      "No space left on device",
      "Disk quota exceeded",
      "File too large",
      "not enough space on the disk");

  /** With less than that, a disk is full: H2 writes up to some 64 KB at a time. */
  private static final long LEAST_BYTES = 65_536;

  private final Path directory;

  /**
   * The disk of a catalog.
   *
   * @param directory where its file is
   */
  FullDisk(Path directory) {
    this.directory = directory;
  }

  /** Whether a failure comes from a full disk, as far as can be told. */
  boolean isCauseOf(SQLException failure) {
    return failure.getErrorCode() == ErrorCode.DATABASE_IS_READ_ONLY // see H2Connections
        || !reason(failure).isEmpty()
        || usableBytes() < LEAST_BYTES; // the reason is missing if another process serves the file
  }

  /** Another failure that says what to do. */
  SQLException explain(SQLException failure) {
    String reason = reason(failure);
    return new SQLNonTransientException("no space left for the catalog in " + directory + " ("
        + (reason.isEmpty() ? "" : reason + "; ") + usableBytes() / 1024
        + " KB usable): the change failed, earlier changes are kept;"
        + " free space there, a restart is not needed");
  }

  private static String reason(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      for (String reason : REASONS) {
        if (message.contains(reason)) {
          return reason;
        }
      }
    }
    return "";
  }

  private long usableBytes() {
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE; // a directory that cannot be read has another problem
    }
  }
}
