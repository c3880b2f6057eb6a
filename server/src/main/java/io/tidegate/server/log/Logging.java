package io.tidegate.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Configuration of Logback, in code: reading an XML file would slow down every start.
 *
 * <p>Logback creates an instance as its {@link Configurator} service before the first line is
 * logged, which sends errors to standard error. {@link #configure} replaces that configuration once
 * the settings of a server are known. The context is never stopped, so lines are written until the
 * process has ended.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class Logging extends ContextAwareBase implements Configurator {

  private static final List<String> LIBRARIES = List.of(
      "io.netty", "io.vertx", "io.lettuce", "org.flywaydb", "org.mariadb", "org.sqlite", "reactor");

  /**
   * Loggers that warn of events which the server handles: HikariCP of every failed attempt to
   * connect to a database whose outage is logged once, Netty of every connection that arrives while
   * the port is being closed.
   */
  private static final List<String> REPETITIVE =
      List.of("com.zaxxer", "io.netty.bootstrap.ServerBootstrap");

  /**
   * Loggers of errors that are none: Vert.x logs one for each client that breaks the rules of
   * HTTP/2, as often as clients wish; SQLite logs one if another process has deleted an old
   * temporary file first. If SQLite cannot be loaded, it throws an exception as well.
   */
  private static final List<String> HARMLESS =
      List.of("io.vertx.core.net.impl.ConnectionBase", "org.sqlite.SQLiteJDBCLoader");

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    configure(context, LogFormat.TEXT, LogLevel.ERROR, System.err);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /**
   * Sends all lines, one per event, to a stream. Libraries log warnings and errors only; with
   * {@link LogLevel#DEBUG} also information about their normal work.
   *
   * @param out the stream to write to; flushed after each line and never closed
   */
  public static void configure(LogFormat format, LogLevel level, PrintStream out) {
    configure((LoggerContext) LoggerFactory.getILoggerFactory(), format, level, out);
  }

  private static void configure(
      LoggerContext context, LogFormat format, LogLevel level, PrintStream out) {
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.addAppender(appender(context, format, out));
    root.setLevel(Level.convertAnSLF4JLevel(level.level()));
    Level ofLibraries = switch (level) {
      case ERROR -> Level.ERROR;
      case WARN, INFO -> Level.WARN;
      case DEBUG -> Level.INFO;
    };
    LIBRARIES.forEach(name -> context.getLogger(name).setLevel(ofLibraries));
    Level ofRepetitive = level == LogLevel.DEBUG ? Level.INFO : Level.ERROR;
    REPETITIVE.forEach(name -> context.getLogger(name).setLevel(ofRepetitive));
    Level ofHarmless = level == LogLevel.DEBUG ? Level.INFO : Level.OFF;
    HARMLESS.forEach(name -> context.getLogger(name).setLevel(ofHarmless));
  }

  private static OutputStreamAppender<ILoggingEvent> appender(
      LoggerContext context, LogFormat format, PrintStream out) {
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setLayout(format == LogFormat.JSON ? new JsonLayout() : new TextLayout());
    encoder.start();
    OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
    appender.setContext(context);
    appender.setEncoder(encoder);
    appender.setOutputStream(new Unclosed(out));
    appender.start();
    return appender;
  }

  /** A stream that outlives its appender, which would close it. */
  private static final class Unclosed extends FilterOutputStream {

    Unclosed(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length); // a line at once; the inherited method writes single bytes
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
