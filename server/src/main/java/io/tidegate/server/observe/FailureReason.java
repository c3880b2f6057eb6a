package io.tidegate.server.observe;

import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Short reasons of failed calls, for /ready.
 *
 * <p>The message of an exception may be long and contain hosts, users or passwords, so it is never
 * shown: a reason is one of a fixed set of phrases, an error code of the server, or the name of an
 * exception class.
 */
final class FailureReason {

  static final String TIMEOUT = "timeout";
  static final String CIRCUIT_OPEN = "circuit open";

  /** For a failure without any details. */
  static final String UNKNOWN = "call failed";

  /** Bounds a chain of causes, which may be circular. */
  private static final int MAX_CAUSES = 8;

  /**
   * An error that begins with its code, as in Redis: {@code MISCONF Redis is configured to ...}.
   */
  private static final Pattern LEADING_CODE = Pattern.compile("([A-Z]{2,20}) .*", Pattern.DOTALL);

  /** Parts of messages in lower case, and the phrases they stand for. The first match wins. */
  private static final String[][] PHRASES = {
    {"connection refused", "connection refused"},
    {"wrongpass", "authentication failed"},
    {"noauth", "authentication failed"},
    {"access denied for user", "authentication failed"},
    {"noperm", "permission denied"},
    {"command denied to user", "permission denied"},
    {"oom command not allowed", "out of memory"},
    {"readonly you can't write", "read-only"},
    {"read-only", "read-only"},
    {"loading redis is loading", "loading its data"},
    {"clusterdown", "cluster down"},
    {"wrongtype", "key of another type"},
    {"too many connections", "too many connections"},
    {"unknown database", "database or table missing"},
    {"doesn't exist", "database or table missing"},
    {"no space left on device", "disk full"},
    {"deadlock found", "lock conflict"},
    {"lock wait timeout", "lock conflict"},
    {"unknown host", "unknown host"},
    {"name or service not known", "unknown host"},
    {"no route to host", "host unreachable"},
    {"network is unreachable", "host unreachable"},
    {"timed out", TIMEOUT},
    {"timeout", TIMEOUT},
    {"connection reset", "connection lost"},
    {"connection closed", "connection lost"},
    {"broken pipe", "connection lost"},
    {"unexpected end of stream", "connection lost"},
    {"not connected", "connection lost"},
  };

  private FailureReason() {}

  /** Returns the reason of a failure: that of its innermost cause with a known phrase. */
  static String of(Throwable failure) {
    List<Throwable> causes = new ArrayList<>();
    for (Throwable cause = failure;
        cause != null && causes.size() < MAX_CAUSES;
        cause = cause.getCause()) {
      causes.add(cause);
    }
    Collections.reverse(causes);
    for (Throwable cause : causes) {
      String phrase = phrase(cause);
      if (phrase != null) {
        return phrase;
      }
    }
    return code(causes.get(0));
  }

  private static @Nullable String phrase(Throwable cause) {
    if (cause instanceof TimeoutException) {
      return TIMEOUT;
    }
    if (cause instanceof UnknownHostException) {
      return "unknown host";
    }
    if (cause instanceof SSLException) {
      return "TLS failed";
    }
    if (cause instanceof ClosedChannelException) {
      return "connection lost";
    }
    String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    for (String[] phrase : PHRASES) {
      if (message.contains(phrase[0])) {
        return phrase[1];
      }
    }
    return null;
  }

  private static String code(Throwable root) {
    if (root instanceof SQLException sql && sql.getErrorCode() > 0) {
      return "database error " + sql.getErrorCode();
    }
    Matcher code = LEADING_CODE.matcher(String.valueOf(root.getMessage()));
    return code.matches()
        ? "error " + code.group(1)
        : UNKNOWN + " (" + root.getClass().getSimpleName() + ")";
  }
}
