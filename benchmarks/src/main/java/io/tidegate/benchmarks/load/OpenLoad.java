package io.tidegate.benchmarks.load;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * An open loop: requests are due at random times, whether or not the server keeps up, and failures
 * are counted and survived. Used by one thread.
 *
 * <p>A request is sent on an idle connection. If there is none, a new one is opened; if there are
 * too many of them already, the request is not sent, as if the client's pool was exhausted. A
 * connection whose request is not answered in time is closed.
 */
public final class OpenLoad implements Closeable {

  /**
   * Where and how a load is offered.
   *
   * @param pauseNanos how long the thread sleeps when it has nothing to do; 0 to poll, which is
   *     most exact and uses a processor completely
   */
  public record Order(
      InetSocketAddress server, PreparedRequest request, int maxConnections, long pauseNanos) {}

  /**
   * What happened in an interval. Requests are counted when they are due, and their outcomes when
   * they are known, so the outcomes of the last requests belong to the next interval.
   *
   * @param offered requests that were due
   * @param answered answers 2xx
   * @param degraded those of them that say so
   * @param unavailable answers with status 503
   * @param failed other answers than 2xx and 503
   * @param closed requests whose connection was refused or closed by the server
   * @param timedOut requests without an answer after a second
   * @param unsent requests for which no connection was free, or to which the generator turned too
   *     late
   * @param connections open connections at the end
   * @param micros from when a request was due to the end of its answer, if it was 2xx
   * @param delayMicros from when a request was due until the generator turned to it
   */
  public record Interval(
      double seconds,
      long offered,
      long answered,
      long degraded,
      long unavailable,
      long failed,
      long closed,
      long timedOut,
      long unsent,
      int connections,
      Latency micros,
      Latency delayMicros) {}

  public static final int TIMEOUT_MILLIS = 1_000;

  private static final long TIMEOUT_NANOS = TIMEOUT_MILLIS * 1_000_000L;

  /** How often connections are checked for time-outs. */
  private static final long CHECK_NANOS = TIMEOUT_NANOS / 100;

  /** Requests that are sent before answers are read, if the generator is late. */
  private static final int BURST = 16;

  /** More than the answer to a batch of 20 limits. */
  private static final int MAX_ANSWER_BYTES = 16 << 10;

  private static final int UNAVAILABLE = 503;
  private static final byte[] DEGRADED = HttpAnswer.ascii("\"degraded\":true");

  private final Order order;
  private final Selector selector = Selector.open();
  private final SplittableRandom random = new SplittableRandom(42);
  private final List<Connection> connections = new ArrayList<>();

  /** The last one used comes first, so that a light load uses few connections. */
  private final Deque<Connection> idle = new ArrayDeque<>();

  private Counts counts = new Counts();
  private String firstFailure = "";
  private long sent;
  private long nowNanos = System.nanoTime();
  private long dueNanos = nowNanos;
  private long checkNanos = nowNanos;

  public OpenLoad(Order order) throws IOException {
    this.order = order;
  }

  /** The text of the first answer other than 2xx and 503; empty if there was none. */
  public String firstFailure() {
    return firstFailure;
  }

  /**
   * Offers a load for some time. Requests that are not answered yet remain in flight.
   *
   * @param perSecond mean rate; the times between requests have an exponential distribution
   */
  public Interval run(long millis, double perSecond) throws IOException {
    long beganNanos = System.nanoTime();
    long endNanos = beganNanos + millis * 1_000_000;
    counts = new Counts();
    nowNanos = beganNanos;
    dueNanos = Math.max(dueNanos, beganNanos); // nothing is due between two intervals
    while (nowNanos < endNanos) {
      boolean idling = !offerDue(perSecond);
      advance(idling);
    }
    return counts.interval((nowNanos - beganNanos) / 1e9, connections.size());
  }

  /** Waits until no request is in flight, without new ones. */
  public Interval drain() throws IOException {
    long beganNanos = System.nanoTime();
    counts = new Counts();
    nowNanos = beganNanos;
    while (connections.stream().anyMatch(connection -> connection.busy)) {
      advance(true);
    }
    return counts.interval((nowNanos - beganNanos) / 1e9, connections.size());
  }

  /** Sends what is due; returns whether there was something. */
  private boolean offerDue(double perSecond) throws IOException {
    boolean due = false;
    for (int sends = 0; sends < BURST && dueNanos <= nowNanos; due = true) {
      sends += offer() ? 1 : 0;
      dueNanos += (long) (-Math.log(1 - random.nextDouble()) * 1e9 / perSecond);
    }
    return due;
  }

  /**
   * Sends a request; false if no connection is free, or if it is too late: its answer could not be
   * in time, and the connections of such requests would keep the generator late.
   */
  private boolean offer() throws IOException {
    counts.offered++;
    counts.delayNanos.add(nowNanos - dueNanos);
    if (nowNanos - dueNanos >= TIMEOUT_NANOS) {
      counts.unsent++;
      return false;
    }
    Connection connection = idle.pollFirst();
    if (connection != null) {
      connection.send();
    } else if (connections.size() < order.maxConnections) {
      new Connection().connect();
    } else {
      counts.unsent++;
      return false;
    }
    return true;
  }

  /** Reads what has arrived, and looks at the clock. */
  @SuppressWarnings("ThreadPriorityCheck") // the server may need this processor
  private void advance(boolean idling) throws IOException {
    int ready = selector.selectNow(key -> ((Connection) key.attachment()).ready());
    if (ready == 0 && idling) {
      if (order.pauseNanos > 0) {
        LockSupport.parkNanos(order.pauseNanos);
      } else {
        Thread.yield();
      }
    }
    nowNanos = System.nanoTime();
    if (nowNanos - checkNanos > CHECK_NANOS) {
      checkNanos = nowNanos;
      for (Connection connection : List.copyOf(connections)) {
        connection.checkTime();
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Connection connection : connections) {
      connection.channel.close();
    }
    selector.close();
  }

  /** The counts of the current interval. */
  private static final class Counts {

    private final Histogram nanos = new Histogram();
    private final Histogram delayNanos = new Histogram();
    private long offered;
    private long answered;
    private long degraded;
    private long unavailable;
    private long failed;
    private long closed;
    private long timedOut;
    private long unsent;

    Interval interval(double seconds, int connections) {
      return new Interval(
          seconds,
          offered,
          answered,
          degraded,
          unavailable,
          failed,
          closed,
          timedOut,
          unsent,
          connections,
          nanos.latency(),
          delayNanos.latency());
    }
  }

  /** A connection with one request in flight at most. */
  private final class Connection {

    private final SocketChannel channel = SocketChannel.open();
    private final HttpAnswer answer = new HttpAnswer(MAX_ANSWER_BYTES);
    private final SelectionKey key;

    /** When the request in flight was due. */
    private long sinceNanos;

    private boolean busy;

    Connection() throws IOException {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      key = channel.register(selector, SelectionKey.OP_CONNECT, this);
      connections.add(this);
    }

    /** Begins to connect; the request is sent when the server has accepted. */
    void connect() throws IOException {
      busy = true;
      sinceNanos = dueNanos;
      try {
        if (channel.connect(order.server)) {
          write();
        }
      } catch (ConnectException e) {
        counts.closed++;
        discard();
      }
    }

    void send() {
      busy = true;
      sinceNanos = dueNanos;
      try {
        write();
      } catch (IOException e) {
        counts.closed++;
        discard();
      }
    }

    private void write() throws IOException {
      key.interestOps(SelectionKey.OP_READ);
      order.request.write(sent++, channel);
    }

    void ready() {
      try {
        if (key.isConnectable() && channel.finishConnect()) {
          write();
        } else if (key.isReadable() && answer.receive(channel)) {
          receive();
        }
      } catch (IOException e) {
        if (busy) { // otherwise the server has closed an idle connection
          counts.closed++;
        }
        discard();
      }
    }

    private void receive() {
      int status = answer.status();
      if (status / 100 == 2) {
        counts.answered++;
        counts.degraded += answer.contains(DEGRADED) ? 1 : 0;
        counts.nanos.add(System.nanoTime() - sinceNanos);
      } else if (status == UNAVAILABLE) {
        counts.unavailable++;
      } else {
        counts.failed++;
        firstFailure = firstFailure.isEmpty() ? answer.text() : firstFailure;
      }
      answer.clear();
      busy = false;
      idle.addFirst(this);
    }

    void checkTime() {
      if (busy && nowNanos - sinceNanos > TIMEOUT_NANOS) {
        counts.timedOut++;
        discard();
      }
    }

    private void discard() {
      idle.remove(this);
      connections.remove(this);
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
