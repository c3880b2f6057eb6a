package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.Cpu;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/**
 * Sends requests over many connections from one thread. Its own work per request is small compared
 * with the two system calls.
 */
final class LoadGenerator {

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
      long requests, double seconds, double cpuSeconds, Latency micros, Latency delayMicros) {

    double perSecond() {
      return requests / seconds;
    }

    /** CPU share of the one thread. */
    double busyPercent() {
      return 100 * cpuSeconds / seconds;
    }
  }

  record Latency(double p50, double p99, double p999, double max) {

    static Latency ofNanos(long[] samples, int count) {
      if (count == 0) {
        throw new IllegalStateException("no request was answered");
      }
      Arrays.sort(samples, 0, count);
      return new Latency(
          micros(0.5, samples, count),
          micros(0.99, samples, count),
          micros(0.999, samples, count),
          micros(1, samples, count));
    }

    /** The smallest sample that is at least as large as this share of them. */
    private static double micros(double share, long[] sorted, int count) {
      return sorted[(int) Math.ceil(share * count) - 1] / 1e3;
    }
  }

  /** Far longer than any answer on loopback. */
  private static final long TIMEOUT_NANOS = 10_000_000_000L;

  private final Order order;
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
  }

  static Outcome run(Order order) throws IOException {
    LoadGenerator load = new LoadGenerator(order);
    List<Connection> connections = new ArrayList<>();
    try (load.selector) {
      RequestTemplate requests =
          new RequestTemplate(order.server.port(), order.server.secret(), order.batch, order.keys);
      for (int i = 0; i < order.connections; i++) {
        connections.add(new Connection(order.server.port(), requests, load.selector));
      }
      load.idle.addAll(connections);
      return load.send();
    } finally {
      for (Connection connection : connections) {
        connection.close();
      }
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
        throw new IllegalStateException("no answer for " + TIMEOUT_NANOS / 1_000_000_000 + " s");
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
    int ready;
    if (order.perSecond == 0) {
      ready = selector.select(1_000);
    } else {
      ready = selector.selectNow();
      if (ready == 0) {
        Thread.yield();
      }
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
    connection.send(sent++, dueNanos);
  }

  private void receive() throws IOException {
    for (SelectionKey key : selector.selectedKeys()) {
      Connection connection = (Connection) key.attachment();
      if (connection.receive()) {
        nowNanos = System.nanoTime();
        nanos[answered++] = nowNanos - connection.dueNanos();
        idle.add(connection);
      }
    }
    selector.selectedKeys().clear();
  }
}
