package io.tidegate.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Fast path for connections whose requests are {@link PlainHead plain}: reads them and writes their
 * answers without the objects and the pipeline of a general HTTP server, which take half of the
 * time that a request takes outside of the kernel.
 *
 * <p>A connection begins here. The first request of another form hands it over to Vert.x, with all
 * bytes that are left, for good. Most clients send the same head with every request, so the last
 * heads are kept and compared as a whole; what was derived from one, such as the hash of the root
 * key, is derived once.
 *
 * <p>Belongs to one event loop, as all handlers of a channel.
 */
final class PlainConnection extends ChannelInboundHandlerAdapter {

  /** Heads that are kept. Lengths of bodies differ, and a client may use several routes. */
  private static final int KEPT_HEADS = 4;

  /** Bytes that wait for an answer to be sent, after which no more are read. */
  private static final int MAX_WAITING_BYTES = 64 << 10;

  /** More than the head of an answer has, apart from headers that are added. */
  private static final int HEAD_BYTES = 128;

  private static final byte[] NOTHING = {};
  private static final byte[] OK_JSON =
      ascii("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ");
  private static final byte[] CONTENT_LENGTH = ascii("\r\ncontent-length: ");
  private static final byte[] CONTENT_TYPE = ascii("content-type: ");
  private static final byte[] CLOSE = ascii("\r\nconnection: close");
  private static final byte[] END_OF_HEAD = ascii("\r\n\r\n");

  private final EventLoop loop;
  private final ClientConnection connection;
  private final PlainHead[] heads = new PlainHead[KEPT_HEADS];
  private int keptHeads;
  private int lastHead;

  /** Bytes that were received and not used: a part of a request, or requests that wait. */
  private byte[] waiting = NOTHING;

  private int waitingBytes;

  /** The request that is being answered; the next one waits. */
  private @Nullable PlainExchange current;

  /** Whether answers are flushed at the end of the current read. */
  private boolean reading;

  private boolean unflushed;

  /** Whether no more is read until waiting requests were answered. */
  private boolean paused;

  /** Whether the last sweep found a part of a request, of which the rest has not arrived since. */
  private boolean stalled;

  /** Whether the last answer has been sent, after which the connection is closed. */
  private boolean ended;

  /** Whether {@link #read} is running, so that an answer at once does not call it again. */
  private boolean handling;

  private @Nullable ChannelHandlerContext context;

  PlainConnection(EventLoop loop, ClientConnection connection) {
    this.loop = loop;
    this.connection = connection;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public void channelRead(ChannelHandlerContext channel, Object message) {
    if (!(message instanceof ByteBuf received)) {
      channel.fireChannelRead(message);
      return;
    }
    reading = true;
    byte[] buffer = loop.readBuffer();
    int length = received.readableBytes();
    if (waitingBytes == 0 && length <= buffer.length) {
      received.readBytes(buffer, 0, length).release();
      keep(buffer, read(channel, buffer, length), length);
    } else {
      int needed = waitingBytes + length;
      if (needed > waiting.length) {
        waiting = Arrays.copyOf(waiting, needed + needed / 4);
      }
      received.readBytes(waiting, waitingBytes, length).release();
      waitingBytes += length;
      readWaiting(channel);
    }
    pauseIfFull(channel);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext channel) {
    reading = false;
    if (unflushed) {
      unflushed = false;
      channel.flush();
    }
  }

  /** Goes on with requests that waited for earlier answers to be sent. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext channel) {
    resume(channel);
    channel.fireChannelWritabilityChanged();
  }

  /** Does nothing within {@link #read}, which goes on by itself. */
  private void resume(ChannelHandlerContext channel) {
    if (waitingBytes > 0 && !handling) {
      readWaiting(channel);
      pauseIfFull(channel);
    }
  }

  /** Reads no more while requests wait for a client that does not read its answers. */
  private void pauseIfFull(ChannelHandlerContext channel) {
    boolean full = waitingBytes >= MAX_WAITING_BYTES
        || (waitingBytes > 0 && !channel.channel().isWritable());
    if (full != paused) {
      paused = full;
      channel.channel().config().setAutoRead(!full);
    }
  }

  private void readWaiting(ChannelHandlerContext channel) {
    byte[] bytes = waiting;
    int length = waitingBytes; // a hand-over changes it
    keep(bytes, read(channel, bytes, length), length);
  }

  private void keep(byte[] bytes, int from, int to) {
    stalled &= from == 0;
    waitingBytes = to - from;
    if (waitingBytes == 0) {
      waiting = NOTHING;
    } else if (from > 0 || bytes != waiting) {
      waiting = Arrays.copyOfRange(bytes, from, to);
    }
  }

  /**
   * Handles the requests in these bytes, one after another.
   *
   * @return how many bytes were used
   */
  private int read(ChannelHandlerContext channel, byte[] bytes, int length) {
    int at = 0;
    handling = true;
    while (at < length && current == null && !ended && channel.channel().isWritable()) {
      PlainHead head = head(bytes, at, length);
      if (head == PlainHead.OTHER || head.bodyLength() > loop.limits().maxBodyBytes()) {
        handOver(channel, bytes, at, length);
        at = length;
        break;
      }
      int body = at + head.length();
      int end = body + head.bodyLength();
      if (head == PlainHead.INCOMPLETE || end > length) {
        break;
      }
      loop.requested(connection);
      PlainExchange exchange = new PlainExchange(loop, connection, this, head, System.nanoTime());
      current = exchange;
      exchange.handle(Arrays.copyOfRange(bytes, body, end));
      at = end;
    }
    handling = false;
    return at;
  }

  private PlainHead head(byte[] bytes, int from, int to) {
    for (int i = 0; i < keptHeads; i++) {
      int index = (lastHead + i) % keptHeads;
      if (heads[index].isAt(bytes, from, to)) {
        lastHead = index;
        return heads[index];
      }
    }
    PlainHead head = PlainHead.parse(bytes, from, to, loop.endpoints());
    if (head.isSmall()) {
      lastHead = keptHeads < KEPT_HEADS ? keptHeads++ : (lastHead + 1) % KEPT_HEADS;
      heads[lastHead] = head;
    }
    return head;
  }

  /** Leaves the connection to Vert.x. */
  private void handOver(ChannelHandlerContext channel, byte[] bytes, int from, int to) {
    ByteBuf rest = channel.alloc().buffer(to - from).writeBytes(bytes, from, to - from);
    context = null;
    waitingBytes = 0;
    connection.handedOver();
    if (unflushed) {
      channel.flush();
    }
    pauseIfFull(channel);
    channel.pipeline().remove(this);
    channel.fireChannelRead(rest);
    if (!reading) {
      channel.fireChannelReadComplete(); // until then Vert.x keeps its answers back
    }
  }

  /** Looks for a part of a request whose rest has not arrived since the last call. */
  void sweep() {
    if (stalled) {
      handOverPart();
    }
    stalled = hasPart();
  }

  /** Leaves a part of a request to Vert.x, which applies timeouts and waits for it at a stop. */
  void handOverPart() {
    ChannelHandlerContext channel = context;
    if (channel != null && hasPart()) {
      handOver(channel, waiting, 0, waitingBytes);
    }
  }

  private boolean hasPart() {
    return current == null
        && waitingBytes > 0
        && !ended
        && context != null
        && context.channel().isWritable();
  }

  /** Writes an answer. */
  void send(
      int status,
      CharSequence contentType,
      @Nullable CharSequence addedHeaders,
      byte[] content,
      int length,
      boolean last) {
    ChannelHandlerContext channel = context;
    if (channel == null) {
      throw new IllegalStateException("the connection was handed over before its last answer");
    }
    int added = addedHeaders == null ? 0 : addedHeaders.length();
    ByteBuf answer = channel.alloc().ioBuffer(HEAD_BYTES + added + length);
    if (status == 200 && added == 0 && !last && contentType == HttpExchange.APPLICATION_JSON) {
      answer.writeBytes(OK_JSON);
    } else {
      writeHead(answer, status, contentType, addedHeaders, last);
    }
    writeDecimal(answer, length);
    answer.writeBytes(END_OF_HEAD).writeBytes(content, 0, length);
    if (last) {
      ended = true;
      channel.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
    } else if (reading) {
      unflushed = true;
      var unused = channel.write(answer, channel.voidPromise());
    } else {
      var unused = channel.writeAndFlush(answer, channel.voidPromise());
    }
  }

  /** Writes the head of an answer up to the length of its content. */
  private static void writeHead(
      ByteBuf answer,
      int status,
      CharSequence contentType,
      @Nullable CharSequence addedHeaders,
      boolean last) {
    ByteBufUtil.writeAscii(answer, "HTTP/1.1 ");
    ByteBufUtil.writeAscii(answer, HttpResponseStatus.valueOf(status).toString());
    ByteBufUtil.writeAscii(answer, "\r\n");
    if (addedHeaders != null) {
      ByteBufUtil.writeAscii(answer, addedHeaders);
    }
    answer.writeBytes(CONTENT_TYPE);
    ByteBufUtil.writeAscii(answer, contentType);
    if (last) {
      answer.writeBytes(CLOSE);
    }
    answer.writeBytes(CONTENT_LENGTH);
  }

  private static void writeDecimal(ByteBuf answer, int number) {
    int divisor = 1;
    while (number / divisor >= 10) {
      divisor *= 10;
    }
    for (; divisor > 0; divisor /= 10) {
      answer.writeByte('0' + number / divisor % 10);
    }
  }

  /** Called when the current exchange has ended. */
  void ended() {
    current = null;
    ChannelHandlerContext channel = context;
    if (!handling && channel != null && channel.channel().isActive()) {
      resume(channel);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
