package io.tidegate.global;

import io.tidegate.spi.Component;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stores the components of one pull in the origin, from which all nodes of the region receive them:
 * in chunks, a few at a time, so that the calls of decisions do not wait behind a full pull. Gives
 * up when nothing of a chunk is stored: the next pull brings the rest. Components come from one
 * thread at a time, answers from any thread.
 */
final class OriginImports implements Imports {

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  /** Components in one call: some milliseconds of work for Redis. */
  static final int CHUNK = 500;

  /** Calls under way. More would only wait in the queue of the origin. */
  private static final int MAX_CALLS = 2;

  private final Function<List<Component>, CompletableFuture<Integer>> store;
  private final CompletableFuture<Stored> ended = new CompletableFuture<>();

  /** Guarded by this, as the next fields. */
  private final Queue<List<Component>> chunks = new ArrayDeque<>();

  private List<Component> chunk = new ArrayList<>();
  private int callsUnderWay;
  private boolean ending;
  private Stored stored = Stored.ALL;

  /** Whether a thread sends chunks; calls that are answered at once must not nest. */
  private boolean sending;

  /**
   * Imports into an origin.
   *
   * @param store stores components, and completes with the number of those that were stored
   */
  OriginImports(Function<List<Component>, CompletableFuture<Integer>> store) {
    this.store = store;
  }

  @Override
  public boolean take(Component component, long nowMillis) {
    synchronized (this) {
      if (stored == Stored.GIVEN_UP) {
        return false;
      }
      chunk.add(component);
      if (chunk.size() < CHUNK) {
        return true;
      }
      closeChunk();
    }
    send();
    return true;
  }

  @Override
  public CompletableFuture<Stored> end() {
    synchronized (this) {
      ending = true;
      if (!chunk.isEmpty()) {
        closeChunk();
      }
    }
    send();
    return ended;
  }

  private synchronized void closeChunk() {
    chunks.add(chunk);
    chunk = new ArrayList<>();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a store never fails
  private void send() {
    if (!beginSending()) {
      return;
    }
    for (List<Component> next; (next = nextChunk()) != null; ) {
      int size = next.size();
      try {
        store.apply(next).thenAccept(count -> answered(count, size));
      } catch (RuntimeException | Error e) { // out of memory, for one
        LOG.log(Level.ERROR, "Storing imported counts failed; they will be pulled again", e);
        answered(0, size);
      }
    }
    endIfDone();
  }

  private synchronized boolean beginSending() {
    boolean begins = !sending;
    sending = true;
    return begins;
  }

  private synchronized @Nullable List<Component> nextChunk() {
    if (chunks.isEmpty() || callsUnderWay == MAX_CALLS) {
      sending = false;
      return null;
    }
    callsUnderWay++;
    return chunks.remove();
  }

  private void answered(int count, int size) {
    synchronized (this) {
      callsUnderWay--;
      if (count == 0) {
        stored = Stored.GIVEN_UP;
        chunks.clear();
      } else if (count < size && stored == Stored.ALL) {
        stored = Stored.SOME;
      }
    }
    send();
  }

  private void endIfDone() {
    boolean done;
    synchronized (this) {
      done = ending && chunks.isEmpty() && callsUnderWay == 0;
    }
    if (done) {
      ended.complete(stored());
    }
  }

  private synchronized Stored stored() {
    return stored;
  }
}
