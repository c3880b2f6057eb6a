package io.tidegate.redis;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Collects the lines of a logger until it is closed. */
final class LogCapture extends Handler implements AutoCloseable {

  final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;

  LogCapture(String name) {
    logger = Logger.getLogger(name);
    logger.addHandler(this);
  }

  /** Returns the lines that contain a text, such as an address. */
  List<String> linesWith(String text) {
    return lines.stream().filter(line -> line.contains(text)).toList();
  }

  @Override
  public void publish(LogRecord entry) {
    lines.add(new SimpleFormatter().formatMessage(entry));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
