package io.tidegate.server.http;

import io.netty.channel.Channel;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A client's connection, and what of it is under way. Of one event loop. */
final class ClientConnection {

  /** Of HTTP/2. */
  private static final long NO_ERROR = 0;

  /** How long the client may take to read that its idle connection is closed. */
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private final HttpConnection connection;
  private final List<Call> calls = new ArrayList<>(1);
  private long idleSinceNanos;
  private boolean used;
  private boolean announced;
  private int unsentBytes;

  ClientConnection(HttpConnection connection, long nowNanos) {
    this.connection = connection;
    this.idleSinceNanos = nowNanos;
  }

  static Channel channel(HttpConnection connection) {
    return ((HttpServerConnection) connection).channelHandlerContext().channel();
  }

  void began(Call call) {
    calls.add(call);
    used = true;
  }

  void ended(Call call, long nowNanos) {
    calls.remove(call);
    idleSinceNanos = nowNanos;
  }

  /** What is under way, in a list of its own: what is done about them ends them. */
  List<Call> calls() {
    return List.copyOf(calls);
  }

  boolean isIdle() {
    return calls.isEmpty();
  }

  /** Whether a whole request has ever come. */
  boolean wasUsed() {
    return used;
  }

  /** How much has been answered that the client has not read, with what is added to it. */
  int unsent(int addedBytes) {
    unsentBytes += addedBytes;
    return unsentBytes;
  }

  long idleSinceNanos() {
    return idleSinceNanos;
  }

  /**
   * Asks the client to send further requests over another connection, after the last answer under
   * way. For HTTP/2, where no header can say so; a request that crosses this is still answered.
   */
  @SuppressWarnings("deprecation") // its successor, shutdown, refuses requests that cross it
  void announceClose() {
    if (!announced && isIdle() && isMultiplexed()) {
      announced = true;
      connection.goAway(NO_ERROR, Integer.MAX_VALUE);
    }
  }

  /** Closes it when nothing is under way; over HTTP/2, the client learns what was not answered. */
  void closeIdle() {
    if (isMultiplexed()) {
      connection.shutdown(FAREWELL);
    } else {
      close();
    }
  }

  private boolean isMultiplexed() {
    return connection.protocolVersion() == HttpVersion.HTTP_2;
  }

  /**
   * Ends it at once. Its own close would first have all answers read, and so wait for ever for a
   * client that does not, while answering whatever else it sends.
   */
  void close() {
    ((HttpServerConnection) connection).channelHandlerContext().close();
  }
}
