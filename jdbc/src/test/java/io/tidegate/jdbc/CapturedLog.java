package io.tidegate.jdbc;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects log records until it is closed. */
final class CapturedLog implements AutoCloseable {

  private final Logger logger = Logger.getLogger("io.tidegate");
  private final Level before = logger.getLevel();
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler handler = new Handler() {
    @Override
    public void publish(LogRecord record) {
      records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  };

  CapturedLog() {
    logger.setLevel(Level.ALL);
    handler.setLevel(Level.ALL);
    logger.addHandler(handler);
  }

  List<String> warnings() {
    return messages(Level.WARNING);
  }

  List<String> details() {
    return messages(Level.FINE);
  }

  private List<String> messages(Level level) {
    return records.stream()
        .filter(record -> record.getLevel().equals(level))
        .map(record -> MessageFormat.format(record.getMessage(), record.getParameters()))
        .toList();
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setLevel(before);
  }
}
