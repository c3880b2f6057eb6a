package io.tidegate.catalog;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The turn to do something, among all threads of all processes of this machine. It is over when it
 * is ended, or when its process ends, however it does.
 */
final class FileTurn {

  /** A file keeps the threads of one process apart from those of others only. */
  private static final ReentrantLock THREADS = new ReentrantLock();

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  private final FileChannel file;

  private FileTurn(FileChannel file) {
    this.file = file;
  }

  /**
   * Waits for the turn.
   *
   * @throws IOException if it does not come in time
   */
  static FileTurn take(Path path, Duration longest) throws IOException, InterruptedException {
    long deadlineNanos = System.nanoTime() + longest.toNanos();
    if (!THREADS.tryLock(longest.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new IOException("no turn within " + longest);
    }
    FileChannel file = null;
    try {
      file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = file.tryLock();
      while (lock == null) {
        if (System.nanoTime() - deadlineNanos >= 0) {
          throw new IOException("another process has had " + path + " for " + longest);
        }
        Thread.sleep(BETWEEN_LOOKS.toMillis());
        lock = file.tryLock();
      }
      return new FileTurn(file);
    } catch (IOException | InterruptedException | RuntimeException e) {
      end(file);
      throw e;
    }
  }

  void end() throws IOException {
    end(file);
  }

  private static void end(@Nullable FileChannel file) throws IOException {
    try {
      if (file != null) {
        file.close(); // and with it goes the lock
      }
    } finally {
      THREADS.unlock();
    }
  }
}
