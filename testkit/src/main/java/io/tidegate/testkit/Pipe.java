package io.tidegate.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/**
 * One direction of a proxied connection. One thread reads and another writes, so that many bytes
 * can be in flight while each of them is delayed.
 */
final class Pipe {

  /** Bytes in flight: at a latency of 100 ms, a throughput of 80 MB/s. */
  private static final int BOUND_BYTES = 8 << 20;

  private static final int CHUNK_BYTES = 16 << 10;

  /** Marks the end of the stream. */
  private static final byte[] LAST = {};

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Chunk(byte[] bytes, long arrivedNanos) {}

  private final Socket from;
  private final Socket to;
  private final Network network;
  private final LongAdder forwarded;

  /** From the reading to the writing thread, bounded by {@link #free}. */
  private final BlockingQueue<Chunk> inFlight = new LinkedBlockingQueue<>();

  private final Semaphore free = new Semaphore(BOUND_BYTES);

  /** From then on, bytes that are read are dropped and nothing is written. Never reset. */
  private volatile boolean severed;

  /** Whether reading has ended. Set by the reading thread before the last chunk. */
  private volatile boolean ended;

  /** Whether it ended with the end of the stream and not with an error. Set before the above. */
  private volatile boolean finished;

  Pipe(Socket from, Socket to, Network network, LongAdder forwarded) {
    this.from = from;
    this.to = to;
    this.network = network;
    this.forwarded = forwarded;
  }

  /**
   * Reads until the stream ends. In a black hole it reads nothing, so that TCP stops the sender.
   */
  void read() {
    try {
      InputStream in = from.getInputStream();
      byte[] buffer = new byte[CHUNK_BYTES];
      for (int count = next(in, buffer); count >= 0; count = next(in, buffer)) {
        if (!severed) {
          free.acquireUninterruptibly(count);
          send(Arrays.copyOf(buffer, count));
        }
      }
      finished = true;
    } catch (IOException e) {
      finished = false; // connection lost; the writing thread reports it when it is due
    }
    ended = true;
    send(LAST);
  }

  private int next(InputStream in, byte[] buffer) throws IOException {
    network.awaitEntry(() -> severed);
    return in.read(buffer);
  }

  private void send(byte[] bytes) {
    inFlight.add(new Chunk(bytes, System.nanoTime()));
  }

  boolean hasEnded() {
    return ended;
  }

  /**
   * Writes bytes in order when they are due. The end of the stream and the loss of the connection
   * are delayed like bytes.
   *
   * @return whether the stream ended without an error
   */
  boolean write() {
    try {
      for (byte[] bytes = nextDue(); bytes.length > 0; bytes = nextDue()) {
        forwarded.add(bytes.length); // before a receiver can see them
        to.getOutputStream().write(bytes);
        free.release(bytes.length);
      }
      if (finished) {
        to.shutdownOutput();
      }
      return finished;
    } catch (IOException e) {
      return false;
    }
  }

  private byte[] nextDue() {
    try {
      Chunk chunk = inFlight.take();
      network.awaitExit(chunk.arrivedNanos(), () -> severed);
      return severed ? LAST : chunk.bytes();
    } catch (InterruptedException e) {
      throw new IllegalStateException("threads of a proxy are never interrupted", e);
    }
  }

  /** Drops bytes in flight and all later ones. Both threads then wait for their sockets only. */
  void sever() {
    severed = true;
    send(LAST);
    free.release(BOUND_BYTES);
  }
}
