package io.tidegate.server.http;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.ArrayList;
import java.util.List;

/** A client's connection, and what of it is under way. Of one event loop. */
final class ClientConnection {

  private final HttpConnection connection;
  private final List<Call> calls = new ArrayList<>(1);
  private long idleSinceNanos;
  private boolean used;
  private int unsentBytes;

  ClientConnection(HttpConnection connection, long nowNanos) {
    this.connection = connection;
    this.idleSinceNanos = nowNanos;
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
   * Ends it at once. Its own close would first have all answers read, and so wait for ever for a
   * client that does not, while answering whatever else it sends.
   */
  void close() {
    ((HttpServerConnection) connection).channelHandlerContext().close();
  }
}
