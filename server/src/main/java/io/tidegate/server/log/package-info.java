/**
 * Logging of the server: one line per event, as text or JSON, on one stream.
 *
 * <p>SLF4J is the API and Logback the implementation. The server logs through
 * {@link io.tidegate.server.log.Log}, libraries through SLF4J or {@link java.lang.System.Logger},
 * which a service of SLF4J forwards. {@link io.tidegate.server.log.Logging} configures Logback: the
 * first time when Logback starts, the second time when the settings are known.
 *
 * <p>All classes may be used by any thread. A line is written by the thread that logs it, under the
 * lock of the one appender, and flushed. Text from outside is escaped here and nowhere else, so
 * callers pass it as it is. Where clients decide how many lines there are,
 * {@link io.tidegate.server.log.LineBudget} bounds them.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.log;
