package io.tidegate.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A client's connection and its exchanges in progress. Belongs to one event loop. */
final class ClientConnection {

  /** HTTP/2 error code: the connection ends, and nothing is wrong. */
  private static final long NO_ERROR = 0;

  /** How long a client may take to acknowledge that its idle HTTP/2 connection is closed. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final HttpConnection connection;
  private final List<HttpExchange> exchanges = new ArrayList<>(1);
  private long idleSinceNanos;
  private boolean used;
  private boolean announced;
  private int unsentBytes;

  /** Reads the requests; null after Vert.x has taken over. */
  private @Nullable PlainConnection plain;

  ClientConnection(HttpConnection connection, long nowNanos) {
    this.connection = connection;
    this.idleSinceNanos = nowNanos;
  }

  static Channel channel(HttpConnection connection) {
    return ((HttpServerConnection) connection).channelHandlerContext().channel();
  }

  /** Reads plain requests before Vert.x does. Does nothing on a connection with HTTP/2. */
  void beginPlain(EventLoop loop) {
    if (!isMultiplexed()) {
      ChannelPipeline pipeline = channel(connection).pipeline();
      ChannelHandlerContext decoder = pipeline.context(HttpRequestDecoder.class);
      plain = new PlainConnection(loop, this);
      pipeline.addBefore(Objects.requireNonNull(decoder).name(), "plain", plain);
    }
  }

  /** Vert.x reads all further requests. */
  void handedOver() {
    plain = null;
  }

  /** Called about once a second. */
  void sweepPlain() {
    if (plain != null) {
      plain.sweep();
    }
  }

  /** Lets Vert.x know of a request that has arrived in part. */
  void handOverPart() {
    if (plain != null) {
      plain.handOverPart();
    }
  }

  /** Whether an exchange is in progress in which Vert.x has no part. */
  boolean isBusyPlain() {
    return plain != null && !exchanges.isEmpty();
  }

  /** The numeric address of the client. */
  String peerAddress() {
    return connection.remoteAddress().hostAddress();
  }

  void began(HttpExchange exchange) {
    exchanges.add(exchange);
    used = true;
  }

  void ended(HttpExchange exchange, long nowNanos) {
    exchanges.remove(exchange);
    idleSinceNanos = nowNanos;
  }

  /** A copy of the exchanges in progress, so that the caller may end them while it iterates. */
  List<HttpExchange> exchanges() {
    return List.copyOf(exchanges);
  }

  boolean isIdle() {
    return exchanges.isEmpty();
  }

  /** Whether the client has sent the headers of at least one request. */
  boolean wasUsed() {
    return used;
  }

  /** Adds to the bytes of answers that the client has not read, and returns their number. */
  int addUnsent(int bytes) {
    unsentBytes += bytes;
    return unsentBytes;
  }

  /** Whether the client reads its answers. */
  boolean isRead() {
    return channel(connection).isWritable();
  }

  long idleSinceNanos() {
    return idleSinceNanos;
  }

  /**
   * Asks an HTTP/2 client to open another connection for further requests, once the connection is
   * idle. Requests that are on their way are still answered. HTTP/1.1 has a header for this.
   */
  @SuppressWarnings("deprecation") // its successor, shutdown, rejects requests on their way
  void announceClose() {
    if (!announced && isIdle() && isMultiplexed()) {
      announced = true;
      connection.goAway(NO_ERROR, Integer.MAX_VALUE);
    }
  }

  /** Closes an idle connection. An HTTP/2 client learns which requests were not answered. */
  void closeIdle() {
    if (isMultiplexed()) {
      connection.shutdown(CLOSE_TIMEOUT);
    } else {
      close();
    }
  }

  private boolean isMultiplexed() {
    return connection.protocolVersion() == HttpVersion.HTTP_2;
  }

  /**
   * Closes the connection at once. {@link HttpConnection#close} would first wait until the client
   * has read all answers, which a slow client never does, and answer its new requests meanwhile.
   */
  void close() {
    var unused = ((HttpServerConnection) connection).channelHandlerContext().close();
  }
}
