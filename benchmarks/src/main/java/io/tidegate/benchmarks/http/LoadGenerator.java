package io.tidegate.benchmarks;

import java.io.IOException;
import java.io.Serializable;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/**
 * Those who ask, all in one thread of a JVM of its own. What they do for a request is next to
 * nothing beside the two system calls that it takes.
 */
final class HttpLoad {

  /**
   * What to ask.
   *
   * @param connections how many requests are under way at most
   * @param keys how many identifiers there are
   * @param batch how many limits each request asks for
   * @param perSecond how many requests are due a second; 0 for the next one as soon as a connection
   *     has its answer
   * @param millis for how long
   * @param most how many at most
   */
  record Order(
      HttpNode.Address server,
      int connections,
      int keys,
      int batch,
      int perSecond,
      int millis,
      long most)
      implements Serializable {}

  /**
   * What came of it.
   *
   * @param cpuSeconds what asking took
   * @param micros from when a request was due to its whole answer
   * @param lateMicros from when a request was due until it was sent
   */
  record Outcome(
      long requests, double seconds, double cpuSeconds, Latency micros, Latency lateMicros)
      implements Serializable {

    double perSecond() {
      return requests / seconds;
    }

    /** Of the one thread that asks. */
    double busyPercent() {
      return 100 * cpuSeconds / seconds;
    }
  }

  /** Where the samples lie. */
  record Latency(double p50, double p99, double p999, double max) implements Serializable {

    static Latency ofNanos(long[] samples, int count) {
      if (count == 0) {
        throw new IllegalStateException("nothing was answered");
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

  /** Nobody takes this long on loopback: something is broken. */
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  private final Order order;
  private final Selector selector = Selector.open();
  private final Queue<HttpConnection> idle = new ArrayDeque<>();
  private long[] nanos = new long[1 << 16];
  private long[] lateNanos = new long[1 << 16];
  private int sent;
  private int answered;
  private long beganNanos;
  private long nowNanos;

  private HttpLoad(Order order) throws IOException {
    this.order = order;
  }

  /** Obeys orders until there are no more. */
  public static void main(String[] arguments) throws IOException {
    HttpProcess.Parent parent = new HttpProcess.Parent();
    for (Object order; (order = parent.hear()) != null; ) {
      parent.tell(run((Order) order));
    }
  }

  static Outcome run(Order order) throws IOException {
    HttpLoad load = new HttpLoad(order);
    List<HttpConnection> connections = new ArrayList<>();
    try (load.selector) {
      HttpRequests requests =
          new HttpRequests(order.server.port(), order.server.secret(), order.batch, order.keys);
      for (int i = 0; i < order.connections; i++) {
        connections.add(new HttpConnection(order.server.port(), requests, load.selector));
      }
      load.idle.addAll(connections);
      return load.ask();
    } finally {
      for (HttpConnection connection : connections) {
        connection.close();
      }
    }
  }

  private Outcome ask() throws IOException {
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
      } else if (sent > answered && nowNanos - answeredNanos > PATIENCE_NANOS) {
        throw new IllegalStateException("no answer for " + PATIENCE_NANOS / 1_000_000_000 + " s");
      }
    }
    return new Outcome(
        answered,
        (nowNanos - beganNanos) / 1e9,
        (Cpu.threadNanos() - cpuNanos) / 1e9,
        Latency.ofNanos(nanos, answered),
        Latency.ofNanos(lateNanos, sent));
  }

  /**
   * When the next request is due. At a rate that does not depend on answers: those that a slow
   * server keeps waiting are late from then on, and not from when they could be sent.
   */
  private long dueNanos() {
    return order.perSecond == 0 ? nowNanos : beganNanos + (long) (sent * (1e9 / order.perSecond));
  }

  /**
   * Waits until there is something to read. With a rate the next request may be due before, within
   * less than a selector can wait for: then it only looks, and lets others have the processor.
   */
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

  private void send(HttpConnection connection, long dueNanos) throws IOException {
    if (sent == lateNanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * sent);
      lateNanos = Arrays.copyOf(lateNanos, 2 * sent);
    }
    lateNanos[sent] = nowNanos - dueNanos;
    connection.send(sent++, dueNanos);
  }

  private void receive() throws IOException {
    for (SelectionKey key : selector.selectedKeys()) {
      HttpConnection connection = (HttpConnection) key.attachment();
      if (connection.receive()) {
        nowNanos = System.nanoTime();
        nanos[answered++] = nowNanos - connection.dueNanos();
        idle.add(connection);
      }
    }
    selector.selectedKeys().clear();
  }
}
