package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.Cpu;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

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
    static Latency ofNanos(LongStream samples) {
      long[] sorted = samples.sorted().toArray();
      double[] micros = DoubleStream.of(0.5, 0.99, 0.999, 1)
          .map(share -> sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e3)
          .toArray();
      return new Latency(micros[0], micros[1], micros[2], micros[3]);
    }
  }

  /** Far longer than any answer on loopback. */
  private static final long TIMEOUT_NANOS = 10_000_000_000L;

  private final Order order;
  private final Selector selector = Selector.open();
  private final Queue<HttpConnection> idle = new ArrayDeque<>();
  private final LongStream.Builder nanos = LongStream.builder();
  private final LongStream.Builder delayNanos = LongStream.builder();
  private int sent;
  private int answered;
  private long beganNanos;
  private long nowNanos;

  private LoadGenerator(Order order) throws IOException {
    this.order = order;
    for (int i = 0; i < order.connections; i++) {
      HttpConnection connection = new HttpConnection(order);
      connection.channel.register(selector, SelectionKey.OP_READ, connection);
      idle.add(connection);
    }
  }

  static Outcome run(Order order) throws IOException {
    try (LoadGenerator load = new LoadGenerator(order)) {
      return load.send();
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

  private void send(HttpConnection connection, long dueNanos) throws IOException {
    delayNanos.add(nowNanos - dueNanos);
    connection.dueNanos = dueNanos;
    connection.send(sent++);
  }

  private void receive() throws IOException {
    for (SelectionKey key : selector.selectedKeys()) {
      HttpConnection connection = (HttpConnection) key.attachment();
      if (connection.receive()) {
        nowNanos = System.nanoTime();
        nanos.add(nowNanos - connection.dueNanos);
        answered++;
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
}
