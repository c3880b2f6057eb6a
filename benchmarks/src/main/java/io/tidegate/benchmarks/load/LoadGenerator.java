package io.tidegate.benchmarks.load;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Sends requests over many connections from one thread. Its own work per request is small compared
 * with the system calls.
 */
public final class LoadGenerator implements AutoCloseable {

  /**
   * A load to generate.
   *
   * @param perSecond rate of requests in an open loop; 0 for a closed loop, where a request follows
   *     as soon as another one is answered
   * @param most maximum number of requests
   */
  public record Order(int perSecond, int millis, long most) {

    public static Order unthrottled(int millis) {
      return atRate(0, millis);
    }

    public static Order atRate(int perSecond, int millis) {
      return new Order(perSecond, millis, Integer.MAX_VALUE);
    }

    /** A closed loop that ends after this number of requests, or else after this time. */
    public static Order atMost(long requests, int millis) {
      return new Order(0, millis, requests);
    }
  }

  /**
   * The measured load.
   *
   * @param cpuSeconds CPU time of the generator
   * @param micros from when a request was due to the end of its answer
   * @param delayMicros from when a request was due until it was sent
   */
  public record Outcome(
      long requests, double seconds, double cpuSeconds, Latency micros, Latency delayMicros) {

    public double perSecond() {
      return requests / seconds;
    }

    /** CPU time of the generator in percent of a core. */
    public double loadPercent() {
      return 100 * cpuSeconds / seconds;
    }
  }

  /** Opens a connection to the server. */
  public interface Connector {
    LoadConnection open() throws IOException;
  }

  /** Far longer than any answer on loopback. */
  private static final long TIMEOUT_NANOS = 10_000_000_000L;

  private final Order order;
  private final Selector selector = Selector.open();

  /** Has a connection once for each request that it may send now. */
  private final Queue<LoadConnection> idle = new ArrayDeque<>();

  /** Connections with requests that are not flushed. */
  private final Set<LoadConnection> unflushed = new LinkedHashSet<>();

  private final LongStream.Builder nanos = LongStream.builder();
  private final LongStream.Builder delayNanos = LongStream.builder();
  private int sent;
  private int answered;
  private long beganNanos;
  private long nowNanos;

  private LoadGenerator(Order order) throws IOException {
    this.order = order;
  }

  /** Sends a load over this number of new connections. */
  public static Outcome run(Order order, int connections, Connector connector) throws IOException {
    try (LoadGenerator load = new LoadGenerator(order)) {
      load.connect(connections, connector);
      return load.send();
    }
  }

  private void connect(int connections, Connector connector) throws IOException {
    for (int i = 0; i < connections; i++) {
      LoadConnection connection = connector.open();
      connection.channel().register(selector, SelectionKey.OP_READ, connection);
    }
    List<LoadConnection> opened =
        selector.keys().stream().map(key -> (LoadConnection) key.attachment()).toList();
    for (int i = 0; i < opened.get(0).capacity(); i++) {
      idle.addAll(opened);
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
      flush();
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
        Latency.ofNanos(nanos.build()),
        Latency.ofNanos(delayNanos.build()));
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

  private void send(LoadConnection connection, long dueNanos) throws IOException {
    delayNanos.add(nowNanos - dueNanos);
    connection.send(sent++, dueNanos);
    unflushed.add(connection);
  }

  private void flush() throws IOException {
    for (LoadConnection connection : unflushed) {
      connection.flush();
    }
    unflushed.clear();
  }

  private void receive() throws IOException {
    for (SelectionKey key : selector.selectedKeys()) {
      LoadConnection connection = (LoadConnection) key.attachment();
      connection.receive(dueNanos -> {
        nowNanos = System.nanoTime();
        nanos.add(nowNanos - dueNanos);
        answered++;
        idle.add(connection);
      });
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
}
