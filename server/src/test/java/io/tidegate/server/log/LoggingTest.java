package io.tidegate.server.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LoggingTest {

  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(written, false, StandardCharsets.UTF_8);

  @AfterEach
  void restore() {
    Logging.configure(LogFormat.TEXT, LogLevel.ERROR, System.err);
  }

  @Test
  void textIsOneLinePerEvent() {
    Logging.configure(LogFormat.TEXT, LogLevel.INFO, out);
    Log.info("listening", "port", 8080, "host", "0.0.0.0", "tls", false, "note", "two words");
    assertThat(written())
        .matches(
            TIME
                + " INFO  io\\.tidegate\\.server  listening port=8080 host=0\\.0\\.0\\.0 tls=false note=\"two words\"\n");
  }

  @Test
  void jsonIsOneObjectPerEvent() throws IOException {
    Logging.configure(LogFormat.JSON, LogLevel.INFO, out);
    Log.warn(
        "slow", "millis", 12L, "port", 8080, "share", 0.5, "tls", true, "who", null, "note",
        "a \"b\"");
    Map<String, Object> line = json();
    assertThat(line)
        .containsEntry("level", "WARN")
        .containsEntry("logger", "io.tidegate.server")
        .containsEntry("message", "slow")
        .containsEntry("millis", 12L)
        .containsEntry("port", 8080L)
        .containsEntry("share", 0.5)
        .containsEntry("tls", true)
        .containsEntry("who", null)
        .containsEntry("note", "a \"b\"");
    assertThat((String) line.get("time")).matches(TIME);
  }

  @Test
  void fieldCannotReplaceTheMessage() throws IOException {
    Logging.configure(LogFormat.JSON, LogLevel.INFO, out);
    Log.info("real", "message", "forged", "level", "ERROR", "error", "none");
    assertThat(json())
        .containsEntry("message", "real")
        .containsEntry("message_", "forged")
        .containsEntry("level", "INFO")
        .containsEntry("error_", "none");
  }

  @Test
  void fieldWithoutAValueIsRejected() {
    assertThatThrownBy(() -> Log.info("listening", "port"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("fields must be alternating names and values: 1");
  }

  @ParameterizedTest
  @EnumSource(LogFormat.class)
  void exceptionIsOnTheSameLineWithItsCauses(LogFormat format) {
    Logging.configure(format, LogLevel.INFO, out);
    Throwable cause = new IOException("no\nroute");
    Log.error("failed", new IllegalStateException("cannot start", cause), "step", 3);
    assertThat(written().lines()).hasSize(1);
    assertThat(written())
        .contains(
            "java.lang.IllegalStateException: cannot start (at io.tidegate.server.log.LoggingTest.",
            "), caused by java.io.IOException: no\\nroute (at io.tidegate.server.log.LoggingTest.");
  }

  @ParameterizedTest
  @EnumSource(LogFormat.class)
  void circularCausesEnd(LogFormat format) {
    Logging.configure(format, LogLevel.INFO, out);
    Exception one = new Exception("one");
    Exception two = new Exception("two", one);
    one.initCause(two);
    Log.error("failed", one);
    assertThat(written().lines()).hasSize(1);
    assertThat(written()).contains("java.lang.Exception: two").hasSizeLessThan(10_000);
  }

  @ParameterizedTest
  @EnumSource(LogFormat.class)
  void hostileTextStaysOnItsLine(LogFormat format) {
    Logging.configure(format, LogLevel.INFO, out);
    String evil =
        "x\n2026-01-01T00:00:00.000Z ERROR forged\r\u001b[31m\u0085\u2028\u2029\u202e\0\ud800";
    Log.info(evil, "field", evil, evil, 1);
    Log.error("failed", new IOException(evil));
    LoggerFactory.getLogger("evil\nname").warn("{}", evil);
    System.getLogger("evil\nplatform").log(System.Logger.Level.WARNING, "{0}", evil);
    assertThat(written().lines()).hasSize(4);
    assertThat(written())
        .contains("\\u2028", "\\u001b[31m".replace("1b", format == LogFormat.JSON ? "1B" : "1b"))
        .doesNotContain("\r", "\u001b", "\u0085", "\u2028", "\u2029", "\u202e", "\0");
  }

  @Test
  void fieldCannotPassForTwo() {
    Logging.configure(LogFormat.TEXT, LogLevel.INFO, out);
    Log.info("denied", "who", "a admin=true", "path", "C:\\x", "quoted", "a\"b", "empty", "");
    assertThat(written())
        .endsWith("denied who=\"a admin=true\" path=\"C:\\\\x\" quoted=\"a\\\"b\" empty=\"\"\n");
  }

  @Test
  void otherScriptsStayReadable() {
    Logging.configure(LogFormat.TEXT, LogLevel.INFO, out);
    Log.info("caf\u00e9 \uD83C\uDF0D");
    assertThat(written()).endsWith("caf\u00e9 \uD83C\uDF0D\n");
  }

  @Test
  void messagesOfLibrariesGetTheirArguments() {
    Logging.configure(LogFormat.TEXT, LogLevel.INFO, out);
    LoggerFactory.getLogger("some.library").info("connected to {}", "redis://a");
    System.getLogger("io.tidegate").log(System.Logger.Level.WARNING, "{0} is silent", "Redis");
    assertThat(written().lines())
        .satisfiesExactly(
            line -> assertThat(line).endsWith("INFO  some.library  connected to redis://a"),
            line -> assertThat(line).endsWith("WARN  io.tidegate  Redis is silent"));
  }

  @Test
  void bracesInAMessageWithFieldsAreText() {
    Logging.configure(LogFormat.TEXT, LogLevel.INFO, out);
    Log.info("body was {0} {}", "a", 1);
    Log.info("and {0} {}");
    assertThat(written()).contains("body was {0} {} a=1\n", "and {0} {}\n");
  }

  @ParameterizedTest
  @CsvSource({
    "ERROR, 1",
    "WARN, 2",
    "INFO, 3",
    "DEBUG, 4",
  })
  void levelIncludesTheOnesAboveIt(LogLevel level, int lines) {
    Logging.configure(LogFormat.TEXT, level, out);
    Log.error("1");
    Log.warn("2");
    Log.info("3");
    Log.debug("4");
    assertThat(written().lines()).hasSize(lines);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"io.netty.x", "io.vertx.x", "org.flywaydb.x", "io.lettuce.x", "org.mariadb.x"})
  void librariesLogWarningsOnlyUnlessDebugging(String name) {
    Logger library = LoggerFactory.getLogger(name);
    Logging.configure(LogFormat.TEXT, LogLevel.INFO, out);
    library.info("chatter");
    library.warn("trouble");
    assertThat(written().lines()).singleElement().asString().contains("trouble");
    Logging.configure(LogFormat.TEXT, LogLevel.DEBUG, out);
    library.info("details");
    assertThat(written()).contains("details");
    Logging.configure(LogFormat.TEXT, LogLevel.ERROR, out);
    library.warn("not now");
    assertThat(written()).doesNotContain("not now");
  }

  @ParameterizedTest
  @ValueSource(strings = {"com.zaxxer.x", "io.netty.bootstrap.ServerBootstrap"})
  void repetitiveWarningsAreForDebugging(String name) {
    Logger pool = LoggerFactory.getLogger(name);
    Logging.configure(LogFormat.TEXT, LogLevel.INFO, out);
    pool.warn("timed out again");
    assertThat(written()).isEmpty();
    Logging.configure(LogFormat.TEXT, LogLevel.DEBUG, out);
    pool.warn("timed out once more");
    assertThat(written()).contains("timed out once more");
  }

  @Test
  void errorsThatClientsCauseAreForDebugging() {
    Logger connection = LoggerFactory.getLogger("io.vertx.core.net.impl.ConnectionBase");
    Logging.configure(LogFormat.TEXT, LogLevel.INFO, out);
    connection.error("a stream id must be zero");
    assertThat(written()).isEmpty();
    Logging.configure(LogFormat.TEXT, LogLevel.DEBUG, out);
    connection.error("a frame is too long");
    assertThat(written()).contains("a frame is too long");
  }

  @Test
  void configuringAgainReplacesTheOutput() {
    Logging.configure(LogFormat.JSON, LogLevel.INFO, out);
    Logging.configure(LogFormat.TEXT, LogLevel.INFO, out);
    Log.info("once");
    assertThat(written().lines()).hasSize(1);
  }

  @Test
  void configuringAgainLeavesTheOldStreamOpen() {
    PrintStream first = new PrintStream(new ByteArrayOutputStream(), false) {
      @Override
      public void close() {
        throw new AssertionError("closed");
      }
    };
    Logging.configure(LogFormat.TEXT, LogLevel.INFO, first);
    Logging.configure(LogFormat.TEXT, LogLevel.INFO, out);
    first.println("still open");
    assertThat(first.checkError()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(LogFormat.class)
  void eventWithoutAMessageIsStillALine(LogFormat format) {
    Logging.configure(format, LogLevel.INFO, out);
    LoggerFactory.getLogger("some.library").info((String) null);
    assertThat(written().lines()).singleElement().asString().contains("some.library", "null");
  }

  @ParameterizedTest
  @EnumSource(LogFormat.class)
  void valueWhoseTextFailsDoesNotLoseTheLine(LogFormat format) {
    Logging.configure(format, LogLevel.INFO, out);
    Object broken = new Object() {
      @Override
      public String toString() {
        throw new IllegalStateException("broken");
      }
    };
    Log.info("listening", "field", broken, "port", 8080);
    assertThat(written().lines())
        .singleElement()
        .asString()
        .contains("listening", "[FAILED toString()]", "8080");
  }

  @ParameterizedTest
  @EnumSource(LogFormat.class)
  void stackEndsAfterThreeFrames(LogFormat format) {
    Logging.configure(format, LogLevel.INFO, out);
    Exception deep = new Exception("deep");
    deep.setStackTrace(IntStream.range(0, 5)
        .mapToObj(i -> new StackTraceElement("Caller", "frame" + i, "Caller.java", i))
        .toArray(StackTraceElement[]::new));
    Log.error("failed", deep);
    assertThat(written()).contains("Caller.frame2(").doesNotContain("Caller.frame3(");
  }

  @Test
  void manyWarningsAboutRequestsDoNotHideADefect() {
    Logging.configure(LogFormat.TEXT, LogLevel.INFO, out);
    for (int i = 0; i <= RequestLog.LINES_PER_SECOND; i++) {
      RequestLog.warn("req_" + i, "/path", "catalog unavailable");
    }
    RequestLog.error("req_defect", "/path", "request failed", new IllegalStateException());
    assertThat(written()).contains("requestId=req_defect");
  }

  private String written() {
    return written.toString(StandardCharsets.UTF_8);
  }

  private Map<String, Object> json() throws IOException {
    assertThat(written().lines()).hasSize(1);
    Map<String, Object> values = new LinkedHashMap<>();
    try (JsonParser parser = new JsonFactory().createParser(written())) {
      parser.nextToken();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        values.put(
            name,
            switch (parser.nextToken()) {
              case VALUE_NULL -> null;
              case VALUE_TRUE -> true;
              case VALUE_FALSE -> false;
              case VALUE_NUMBER_INT -> parser.getLongValue();
              case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
              default -> parser.getText();
            });
      }
    }
    return values;
  }
}
