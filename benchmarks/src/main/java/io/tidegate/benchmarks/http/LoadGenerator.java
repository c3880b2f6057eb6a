package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.Cpu;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/**
 * Sends requests over many connections from one thread. Its own work per request is small compared
 * with the two system calls.
 */
final class LoadGenerator implements AutoCloseable {

  /**
   * A load to generate.
   *
   * @param connections maximum number of requests in flight
   * @param batch limits per request
   * @param perSecond rate of requests in an open loop; 0 for a closed loop, where a connection
   *     sends its next request as soon as it has an answer
   * @param most maximum number of requests
   */
  record Order(
      ServerProcess.Address server,
      int connections,
      int keys,
      int batch,
      int perSecond,
      int millis,
      long most) {}

  /**
   * The measured load.
   *
   * @param cpuSeconds CPU time of the generator
   * @param micros from when a request was due to the end of its answer
   * @param delayMicros from when a request was due until it was sent
   */
  record Outcome(
      long requests, double seconds, double cpuSeconds, Latency micros, Latency delayMicros) {}

  record Latency(double p50, double p99, double p999, double max) {

    /** A percentile is the smallest sample that is at least as large as this share of them. */
    static Latency ofNanos(long[] samples, int count) {
      Arrays.sort(samples, 0, count);
      double[] micros = Arrays.stream(new double[] {0.5, 0.99, 0.999, 1})
          .map(share -> samples[(int) Math.ceil(share * count) - 1] / 1e3)
          .toArray();
      return new Latency(micros[0], micros[1], micros[2], micros[3]);
    }
  }

  /** Far longer than any answer on loopback. */
  private static final long TIMEOUT_NANOS = 10_000_000_000L;

  private final Order order;
  private final RequestTemplate requests;
  private final Selector selector = Selector.open();
  private final Queue<Connection> idle = new ArrayDeque<>();
  private long[] nanos = new long[1 << 16];
  private long[] delayNanos = new long[1 << 16];
  private int sent;
  private int answered;
  private long beganNanos;
  private long nowNanos;

  private LoadGenerator(Order order) throws IOException {
    this.order = order;
    this.requests = new RequestTemplate(order.server, order.batch, order.keys);
    for (int i = 0; i < order.connections; i++) {
      SocketChannel channel = SocketChannel.open(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), order.server.port()));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      Connection connection = new Connection(channel, requests.buffer());
      channel.register(selector, SelectionKey.OP_READ, connection);
      idle.add(connection);
    }
  }

  static Outcome run(Order order) {
    try (LoadGenerator load = new LoadGenerator(order)) {
      return load.send();
    } catch (IOException e) {
      throw new UncheckedIOException("the load generator failed", e);
    }
  }

  private Outcome send() throws IOException {
    long cpuNanos = Cpu.threadNanos();
    beganNanos = System.nanoTime();
    nowNanos = beganNanos;
    long endNanos = beganNanos + order.millis * 1_000_000L;
    long answeredNanos = beganNanos;
    while (true) {
      long dueNanos = dueNanos();
      while (sent < order.most && dueNanos < endNanos && dueNanos <= nowNanos && !idle.isEmpty()) {
        send(idle.remove(), dueNanos);
        dueNanos = dueNanos();
      }
      if (sent == answered && (sent >= order.most || dueNanos >= endNanos)) {
        break;
      }
      if (await() > 0) {
        receive();
        answeredNanos = nowNanos;
      } else if (sent > answered && nowNanos - answeredNanos > TIMEOUT_NANOS) {
        throw new IllegalStateException("no answer for ten seconds");
      }
    }
    return new Outcome(
        answered,
        (nowNanos - beganNanos) / 1e9,
        (Cpu.threadNanos() - cpuNanos) / 1e9,
        Latency.ofNanos(nanos, answered),
        Latency.ofNanos(delayNanos, sent));
  }

  /**
   * When the next request is due. In an open loop that does not depend on answers, so the latency
   * includes the time that a slow server keeps a request waiting (no coordinated omission).
   */
  private long dueNanos() {
    return order.perSecond == 0 ? nowNanos : beganNanos + (long) (sent * (1e9 / order.perSecond));
  }

  /**
   * Waits until there is something to read. In an open loop the next request may be due sooner than
   * the millisecond that a selector can wait; it then polls and yields the processor.
   */
  @SuppressWarnings("ThreadPriorityCheck") // the server may need this processor
  private int await() throws IOException {
    int ready = order.perSecond == 0 ? selector.select(1_000) : selector.selectNow();
    if (ready == 0) {
      Thread.yield();
    }
    nowNanos = System.nanoTime();
    return ready;
  }

  private void send(Connection connection, long dueNanos) throws IOException {
    if (sent == delayNanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * sent);
      delayNanos = Arrays.copyOf(delayNanos, 2 * sent);
    }
    delayNanos[sent] = nowNanos - dueNanos;
    connection.dueNanos = dueNanos;
    requests.write(sent++, connection.request);
    do {
      connection.channel.write(connection.request); // once, unless the server falls behind
    } while (connection.request.hasRemaining());
  }

  private void receive() throws IOException {
    for (SelectionKey key : selector.selectedKeys()) {
      Connection connection = (Connection) key.attachment();
      if (connection.receive()) {
        nowNanos = System.nanoTime();
        nanos[answered++] = nowNanos - connection.dueNanos;
        idle.add(connection);
      }
    }
    selector.selectedKeys().clear();
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey connection : selector.keys()) {
      connection.channel().close();
    }
    selector.close();
  }

  /** A persistent HTTP connection with one request in flight. */
  private static final class Connection {

    private static final byte[] OK = ascii("HTTP/1.1 200 ");
    private static final byte[] END_OF_HEADERS = ascii("\r\n\r\n");
    private static final byte[] LENGTH = ascii("\r\ncontent-length: ");

    final SocketChannel channel;
    final ByteBuffer request;

    /** Larger than the answer to a batch of a hundred limits. */
    final ByteBuffer answer = ByteBuffer.allocateDirect(64 << 10);

    long dueNanos;

    Connection(SocketChannel channel, ByteBuffer request) {
      this.channel = channel;
      this.request = request;
    }

    /** Reads available bytes; returns whether the answer is complete. */
    boolean receive() throws IOException {
      if (channel.read(answer) < 0) {
        throw new EOFException("the server closed a connection");
      }
      int headers = find(END_OF_HEADERS);
      if (headers < 0) {
        return false;
      }
      int length = 0;
      for (int i = find(LENGTH) + LENGTH.length; answer.get(i) != '\r'; i++) {
        length = 10 * length + answer.get(i) - '0';
      }
      if (answer.position() < headers + END_OF_HEADERS.length + length) {
        return false;
      }
      if (!isAt(OK, 0)) {
        throw new IllegalStateException(
            "the server answered " + StandardCharsets.ISO_8859_1.decode(answer.flip()));
      }
      answer.clear();
      return true;
    }

    private int find(byte[] wanted) {
      for (int i = 0; i <= answer.position() - wanted.length; i++) {
        if (answer.get(i) == wanted[0] && isAt(wanted, i)) {
          return i;
        }
      }
      return -1;
    }

    /** Whether these bytes are at a position; lower-case letters also match upper case. */
    private boolean isAt(byte[] wanted, int at) {
      for (int i = 0; i < wanted.length; i++) {
        byte there = answer.get(at + i);
        if (there != wanted[i] && (wanted[i] < 'a' || (there | ' ') != wanted[i])) {
          return false;
        }
      }
      return true;
    }

    private static byte[] ascii(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }
  }
}
