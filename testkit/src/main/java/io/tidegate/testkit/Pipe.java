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
 * One direction of a proxied connection. One thread reads and another writes, so that any number of
 * bytes can be under way at once while the network makes each of them wait.
 */
final class Pipe {

  /** What may be under way, like the buffers of a network: at 100 ms, a flow of 80 MB/s. */
  private static final int BOUND_BYTES = 8 << 20;

  private static final int CHUNK_BYTES = 16 << 10;

  /** What is sent when there is nothing more to send. */
  private static final byte[] LAST = {};

  private record Chunk(byte[] bytes, long arrivedNanos) {}

  private final Socket from;
  private final Socket to;
  private final Network network;
  private final LongAdder forwarded;

  /** From the reading to the writing thread, bounded by {@link #room}. */
  private final BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>();

  private final Semaphore room = new Semaphore(BOUND_BYTES);

  /** Set once, by who severs. From then on whatever is read is dropped and nothing is written. */
  private volatile boolean severed;

  /**
   * Set by the reading thread before the last chunk: whether there is nothing more to read, and
   * whether by intent.
   */
  private volatile boolean ended;

  private volatile boolean finished;

  Pipe(Socket from, Socket to, Network network, LongAdder forwarded) {
    this.from = from;
    this.to = to;
    this.network = network;
    this.forwarded = forwarded;
  }

  /**
   * Takes up bytes until there are no more. In a black hole it takes up none, so that TCP holds
   * them back.
   */
  void read() {
    try {
      InputStream in = from.getInputStream();
      byte[] buffer = new byte[CHUNK_BYTES];
      for (int count = next(in, buffer); count >= 0; count = next(in, buffer)) {
        if (!severed) {
          room.acquireUninterruptibly(count);
          send(Arrays.copyOf(buffer, count));
        }
      }
      finished = true;
    } catch (IOException e) {
      finished = false; // the other side is lost; the writing thread passes that on when it is time
    }
    ended = true;
    send(LAST);
  }

  private int next(InputStream in, byte[] buffer) throws IOException {
    network.awaitEntry(() -> severed);
    return in.read(buffer);
  }

  private void send(byte[] bytes) {
    underWay.add(new Chunk(bytes, System.nanoTime()));
  }

  boolean hasEnded() {
    return ended;
  }

  /**
   * Delivers bytes when it is time, and in order. That the other side finished or was lost travels
   * no faster than they do.
   *
   * @return whether it finished, else one of the sides is lost
   */
  boolean write() {
    try {
      for (byte[] bytes = nextDue(); bytes.length > 0; bytes = nextDue()) {
        forwarded.add(bytes.length); // before anybody can have seen them
        to.getOutputStream().write(bytes);
        room.release(bytes.length);
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
      Chunk chunk = underWay.take();
      network.awaitExit(chunk.arrivedNanos(), () -> severed);
      return severed ? LAST : chunk.bytes();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts those who carry bytes", e);
    }
  }

  /**
   * Drops what is under way and whatever comes; both threads wait for nothing but their sockets any
   * more.
   */
  void sever() {
    severed = true;
    send(LAST);
    room.release(BOUND_BYTES);
    network.wake();
  }
}
