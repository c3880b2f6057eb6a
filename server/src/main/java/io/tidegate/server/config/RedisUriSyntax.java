package io.tidegate.server.config;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Syntax of Redis URIs, checked before a connection is attempted. The adapter parses them; what
 * this check accepts and the adapter does not fails the start.
 */
final class RedisUriSyntax {

  /** A comma before the next URI. The commas between the hosts of a Sentinel URI are part of it. */
  private static final String SEPARATOR = ",(?=\\s*[a-z-]*://|\\s*$)";

  private static final String CREDENTIALS = "([^\\s,/?#]*@)?";

  /** Any host name, since some contain underscores; an IPv6 address is in brackets. */
  private static final String HOST = "([^\\s:/?#@,\\[\\]]+|\\[[0-9a-fA-F:.]+\\])(:\\d{1,5})?";

  private static final String DATABASE = "(/\\d{0,9})?";

  private static final Pattern REDIS =
      Pattern.compile("rediss?://" + CREDENTIALS + HOST + DATABASE + "(\\?[^\\s#]*)?");

  private static final Pattern SENTINEL = Pattern.compile("rediss?-sentinel://" + CREDENTIALS + HOST
      + "(," + HOST + ")*" + DATABASE + "((\\?[^\\s#]*)?#\\S+|\\?\\S*sentinelMasterId=\\S+)");

  private static final Pattern PORT = Pattern.compile(":(\\d{1,5})(?=[,/?#]|$)");

  private static final int MAX_PORT = 65_535;

  private RedisUriSyntax() {}

  /** Splits a list that is separated by commas. */
  static List<String> split(String uris) {
    return Arrays.stream(uris.split(SEPARATOR, -1)).map(String::strip).toList();
  }

  static boolean isValid(String uri) {
    return (REDIS.matcher(uri).matches() || SENTINEL.matcher(uri).matches()) && hasValidPorts(uri);
  }

  static boolean isSentinel(String uri) {
    return uri.matches("rediss?-sentinel://.+");
  }

  private static boolean hasValidPorts(String uri) {
    Matcher port = PORT.matcher(uri);
    while (port.find()) {
      if (Integer.parseInt(port.group(1)) > MAX_PORT) {
        return false;
      }
    }
    return true;
  }
}
