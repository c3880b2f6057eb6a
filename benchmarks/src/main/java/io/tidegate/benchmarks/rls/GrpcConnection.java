package io.tidegate.benchmarks.rls;

import io.tidegate.benchmarks.load.LoadConnection;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/**
 * A clear-text HTTP/2 connection with calls on several streams. It writes all calls of a flush with
 * one system call, and reads only what it has to: the verdict, the status, and what keeps the
 * connection open.
 */
final class GrpcConnection implements LoadConnection {

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int CONTINUATION = 9;

  private static final int ACK = 0x1;
  private static final int END_STREAM = 0x1;
  private static final int END_HEADERS = 0x4;
  private static final int PADDED = 0x8;
  private static final int PRIORITY = 0x20;
  private static final int PRIORITY_BYTES = 5;

  private static final int MAX_CONCURRENT_STREAMS = 3;
  private static final int FRAME_HEADER = 9;
  private static final int DEFAULT_WINDOW = 65_535;

  /**
   * Lets the server send 2 GB on this connection: 40 million answers, more than any measurement
   * has.
   */
  private static final int MORE_WINDOW = Integer.MAX_VALUE - DEFAULT_WINDOW;

  /** Acknowledgements that may be written between two flushes. */
  private static final int ROOM_FOR_ACKNOWLEDGEMENTS = 1 << 10;

  /**
   * Streams that may begin before the oldest one must have ended. The due time of a stream is
   * stored at its number, modulo this.
   */
  private static final int SLOTS = 1 << 12;

  private final SocketChannel channel;
  private final int streams;
  private final CallFrames calls;
  private final AnswerHeaders answerHeaders = new AnswerHeaders();
  private final ByteBuffer out;

  /** Larger than the largest frame, of 16 kB. */
  private final ByteBuffer in = ByteBuffer.allocateDirect(64 << 10);

  /** When the calls in flight were due, by stream; 0 if a slot is free. */
  private final long[] dueNanos = new long[SLOTS];

  private int nextStream = 1;

  /** Bytes of data that the server is ready to receive. */
  private long window = DEFAULT_WINDOW;

  /** Streams with a message but no trailers yet. */
  private int unfinished;

  private long overLimit;

  GrpcConnection(InetSocketAddress server, int streams, CallFrames calls) throws IOException {
    this.streams = streams;
    this.calls = calls;
    this.out = ByteBuffer.allocateDirect(streams * calls.maxLength() + ROOM_FOR_ACKNOWLEDGEMENTS);
    this.channel = SocketChannel.open(server);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    out.put(PREFACE);
    frame(SETTINGS, 0, 0);
    frame(WINDOW_UPDATE, 0, Integer.BYTES).putInt(MORE_WINDOW);
  }

  @Override
  public SocketChannel channel() {
    return channel;
  }

  @Override
  public int capacity() {
    return streams;
  }

  /** Answers that say OVER_LIMIT. */
  long overLimit() {
    return overLimit;
  }

  @Override
  public void send(long number, long dueNanos) {
    int slot = slot(nextStream);
    if (this.dueNanos[slot] != 0) {
      throw new IllegalStateException(
          "no answer to a call while the server answered " + SLOTS + " later ones");
    }
    this.dueNanos[slot] = dueNanos;
    window -= calls.dataLength();
    if (window < 0) {
      throw new IllegalStateException("the server does not extend its flow control window");
    }
    calls.write(out, nextStream, number);
    nextStream += 2;
  }

  private static int slot(int stream) {
    return (stream >> 1) & (SLOTS - 1);
  }

  @Override
  public void flush() throws IOException {
    out.flip();
    while (out.hasRemaining()) {
      channel.write(out); // once, unless the server falls behind
    }
    out.clear();
  }

  @Override
  public void receive(LongConsumer answered) throws IOException {
    if (channel.read(in) < 0) {
      throw new EOFException("the server closed a connection");
    }
    in.flip();
    while (in.remaining() >= FRAME_HEADER) {
      int length = in.getInt(in.position()) >>> 8;
      if (in.remaining() < FRAME_HEADER + length) {
        break;
      }
      int end = in.position() + FRAME_HEADER + length;
      int unread = in.limit();
      int type = in.getInt() & 0xff;
      int flags = in.get();
      int stream = in.getInt() & Integer.MAX_VALUE;
      in.limit(end);
      receive(type, flags, stream, answered);
      in.limit(unread).position(end);
    }
    in.compact();
    if (out.position() > 0) {
      flush(); // acknowledgements
    }
  }

  /** Handles a frame; the buffer is limited to its payload. */
  private void receive(int type, int flags, int stream, LongConsumer answered) {
    switch (type) {
      case DATA -> receiveData(flags);
      case HEADERS -> receiveHeaders(flags, stream, answered);
      case SETTINGS -> receiveSettings(flags);
      case WINDOW_UPDATE -> window += stream == 0 ? in.getInt() : 0;
      case PING -> {
        if ((flags & ACK) == 0) {
          frame(PING, ACK, Long.BYTES).putLong(in.getLong());
        }
      }
      case RST_STREAM, GOAWAY, CONTINUATION ->
        throw new IllegalStateException("the server sent a frame of type " + type + ": "
            + StandardCharsets.ISO_8859_1.decode(in));
      default -> {} // must be ignored
    }
  }

  /** Begins a frame of the connection, without its payload. */
  private ByteBuffer frame(int type, int flags, int length) {
    return out.putInt(length << 8 | type).put((byte) flags).putInt(0);
  }

  /** Reads the first field of a RateLimitResponse: overall_code, 1 for OK and 2 for OVER_LIMIT. */
  private void receiveData(int flags) {
    rejectPadding(flags);
    int start = in.position();
    boolean isWhole = in.remaining() >= 7
        && in.get() == 0 // not compressed
        && in.getInt() == in.remaining()
        && in.get() == 1 << 3;
    int code = isWhole ? in.get() : 0;
    if (code < 1 || code > 2) {
      throw new IllegalStateException("the server sent another message: "
          + StandardCharsets.ISO_8859_1.decode(in.position(start)));
    }
    unfinished++;
    overLimit += code - 1;
  }

  private void receiveHeaders(int flags, int stream, LongConsumer answered) {
    rejectPadding(flags);
    if ((flags & END_HEADERS) == 0) {
      throw new IllegalStateException("the server sent headers in several frames");
    }
    if ((flags & PRIORITY) != 0) {
      in.position(in.position() + PRIORITY_BYTES);
    }
    if ((flags & END_STREAM) == 0) {
      answerHeaders.checkHeaders(in);
      return;
    }
    answerHeaders.checkTrailers(in);
    if (--unfinished < 0) {
      throw new IllegalStateException("the server sent no message");
    }
    int slot = slot(stream);
    answered.accept(dueNanos[slot]);
    dueNanos[slot] = 0;
  }

  private static void rejectPadding(int flags) {
    if ((flags & PADDED) != 0) {
      throw new IllegalStateException("the server sent a frame with padding");
    }
  }

  private void receiveSettings(int flags) {
    if ((flags & ACK) != 0) {
      return;
    }
    while (in.hasRemaining()) {
      int setting = in.getShort();
      int value = in.getInt();
      if (setting == MAX_CONCURRENT_STREAMS && Integer.compareUnsigned(value, streams) < 0) {
        throw new IllegalStateException(
            "the server allows " + value + " streams per connection; " + streams + " are needed");
      }
    }
    frame(SETTINGS, ACK, 0);
  }
}
