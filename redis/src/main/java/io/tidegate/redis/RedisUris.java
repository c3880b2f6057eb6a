package io.tidegate.redis;

import static java.util.stream.Collectors.joining;

import io.lettuce.core.RedisURI;
import java.net.URISyntaxException;
import java.util.Objects;

/** Parses Redis URIs, and formats them without credentials for log lines and errors. */
final class RedisUris {

  private RedisUris() {}

  static RedisURI parse(String uri) {
    try {
      return bounded(RedisURI.create(Objects.requireNonNull(uri, "uri must not be null")));
    } catch (IllegalArgumentException e) { // its message may contain the URI with the password
      String reason = e.getCause() instanceof URISyntaxException syntax
          ? syntax.getReason() + " at index " + syntax.getIndex()
          : e.getMessage();
      throw new IllegalArgumentException("not a Redis URI, such as redis://user:password@host:6379"
          + " or redis-sentinel://host1:26379,host2:26379/0#mymaster: " + reason);
    }
  }

  /** Returns a copy whose timeout bounds an attempt to connect; the default is a minute. */
  static RedisURI bounded(RedisURI uri) {
    RedisURI.Builder copy = RedisURI.builder(uri).withTimeout(ManagedConnection.CONNECT_TIMEOUT);
    if (isSentinel(uri)) { // the builder does not copy these
      uri.getSentinels().forEach(sentinel -> copy.withSentinel(bounded(sentinel)));
      copy.withSentinelMasterId(uri.getSentinelMasterId());
    }
    return copy.build();
  }

  static RedisURI checkNode(RedisURI uri) {
    if (isSentinel(uri)) {
      throw new IllegalArgumentException(
          "a node of a Redis Cluster must be such as redis://host:6379: " + name(uri));
    }
    return uri;
  }

  private static boolean isSentinel(RedisURI uri) {
    return !uri.getSentinels().isEmpty();
  }

  /** Formats the address without user and password. */
  static String name(RedisURI uri) {
    String scheme = uri.isSsl() ? "rediss" : "redis";
    if (isSentinel(uri)) {
      return uri.getSentinels().stream()
          .map(sentinel -> sentinel.getHost() + ":" + sentinel.getPort())
          .collect(joining(",", scheme + "-sentinel://", "#" + uri.getSentinelMasterId()));
    }
    return uri.getSocket() == null
        ? scheme + "://" + uri.getHost() + ":" + uri.getPort()
        : "redis-socket://" + uri.getSocket();
  }
}
