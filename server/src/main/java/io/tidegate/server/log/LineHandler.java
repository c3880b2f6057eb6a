package io.tidegate.server.log;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.ErrorManager;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;

/** Writes each line as a whole, and at once. */
final class LineHandler extends Handler {

  private final PrintStream out;

  LineHandler(Formatter formatter, PrintStream out) {
    this.out = out;
    setFormatter(formatter);
  }

  @Override
  public void publish(LogRecord record) {
    if (!isLoggable(record)) {
      return;
    }
    byte[] line;
    try {
      line = getFormatter().format(record).getBytes(StandardCharsets.UTF_8);
    } catch (RuntimeException e) { // a value whose toString throws must not fail who logs it
      reportError(null, e, ErrorManager.FORMAT_FAILURE);
      return;
    }
    synchronized (out) {
      out.write(line, 0, line.length);
      out.flush();
    }
  }

  @Override
  public void flush() {
    out.flush();
  }

  /** The stream belongs to whoever gave it. */
  @Override
  public void close() {
    flush();
  }
}
