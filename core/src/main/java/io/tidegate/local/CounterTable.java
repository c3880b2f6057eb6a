package io.tidegate.local;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a scope by identifier: a hash table of which the counters themselves are the
 * entries, so that a series needs no object beside its counter.
 *
 * <p>Counters of a bucket form a chain. The table grows by a few buckets with each addition (linear
 * hashing), so that none waits for a rehash of all: a new bucket takes its counters from one other.
 * A chain has a bounded length, because clients choose identifiers and can choose some of the same
 * hash; counters beyond it go to a map that resists that.
 *
 * <p>Changes hold the monitor of this object. Lookups take no lock: within a chain every counter
 * leads to one that was added earlier, also while counters move, so a lookup ends. It may miss a
 * counter that moves, and looks again under the monitor if the version shows that.
 */
final class CounterTable implements Iterable<SeriesCounter> {

  /** Longest chain. With ordinary hashes one bucket in 10^10 reaches it. */
  static final int MAX_CHAIN = 16;

  /** Most new buckets per addition: enough to use a longer array long before the next one. */
  private static final int MAX_NEW_BUCKETS = 4;

  /** The greatest power of two that an array can have. */
  private static final int MAX_LENGTH = 1 << 30;

  private static final VarHandle HEAD = MethodHandles.arrayElementVarHandle(SeriesCounter[].class);

  /** First counter of each bucket. The length is a power of two. */
  private volatile @Nullable SeriesCounter[] heads = new SeriesCounter[1];

  /** Number of buckets in use: at least half of the length. */
  private volatile int buckets = 1;

  /** Odd while counters leave their place, and another number afterwards. */
  private volatile int version;

  /** Number of counters in chains. */
  private volatile int chained;

  /** The number of counters beyond which the array is doubled. Used under the monitor. */
  private int capacity;

  /** Counters that found their chain too long; null until there is one. */
  private volatile @Nullable ConcurrentHashMap<String, SeriesCounter> overflow;

  @Nullable
  SeriesCounter find(String identifier) {
    int hash = hash(identifier);
    int before = version;
    SeriesCounter found = findInChain(identifier, hash);
    return found != null ? found : findMissed(identifier, hash, before);
  }

  private @Nullable SeriesCounter findInChain(String identifier, int hash) {
    SeriesCounter[] array = heads;
    SeriesCounter counter = head(array, bucket(hash, buckets, array.length));
    while (counter != null && !isOf(counter, identifier)) {
      counter = counter.next();
    }
    return counter;
  }

  /** Compares the hashes first, which strings keep: the characters are another cache miss. */
  private static boolean isOf(SeriesCounter counter, String identifier) {
    String other = counter.identifier();
    return other.hashCode() == identifier.hashCode() && other.equals(identifier);
  }

  /**
   * What a lookup that missed returns: whether it was misled by a change depends on the version.
   */
  private @Nullable SeriesCounter findMissed(String identifier, int hash, int before) {
    if ((before & 1) != 0 || version != before) {
      synchronized (this) {
        SeriesCounter found = findInChain(identifier, hash);
        if (found != null) {
          return found;
        }
      }
    }
    ConcurrentHashMap<String, SeriesCounter> others = overflow;
    return others == null ? null : others.get(identifier);
  }

  /** Adds a counter unless there is one for its identifier, which is returned then. */
  synchronized @Nullable SeriesCounter putIfAbsent(SeriesCounter counter) {
    String identifier = counter.identifier();
    SeriesCounter found = find(identifier);
    if (found != null) {
      return found;
    }
    SeriesCounter[] array = heads;
    int bucket = bucket(hash(identifier), buckets, array.length);
    SeriesCounter head = head(array, bucket);
    if (isFull(head)) {
      putBeyondChain(counter);
      return null;
    }
    counter.setNext(head);
    setHead(array, bucket, counter);
    chained++;
    grow();
    return null;
  }

  private static boolean isFull(@Nullable SeriesCounter head) {
    int length = 0;
    for (SeriesCounter each = head; each != null; each = each.next()) {
      length++;
    }
    return length >= MAX_CHAIN;
  }

  private void putBeyondChain(SeriesCounter counter) {
    ConcurrentHashMap<String, SeriesCounter> others = overflow;
    if (others == null) {
      others = new ConcurrentHashMap<>();
      overflow = others;
    }
    others.put(counter.identifier(), counter);
  }

  /** Keeps the load at 3/4 at most, in steps of a few buckets. */
  private void grow() {
    SeriesCounter[] array = heads;
    if (buckets == array.length && chained > capacity) {
      array = doubled(array);
      heads = array;
    }
    for (int i = 0; i < MAX_NEW_BUCKETS && buckets < array.length; i++) {
      addBucket(array, buckets);
    }
  }

  /**
   * A copy of twice the length, or the same array if there is no memory for one: then chains become
   * longer, up to their bound, and some additions later the next attempt follows.
   */
  private @Nullable SeriesCounter[] doubled(@Nullable SeriesCounter[] array) {
    capacity = chained + array.length / 16;
    if (array.length == MAX_LENGTH) {
      return array;
    }
    try {
      SeriesCounter[] longer = Arrays.copyOf(array, 2 * array.length);
      capacity = longer.length / 4 * 3;
      return longer;
    } catch (OutOfMemoryError e) { // the addition itself needs no more memory
      return array;
    }
  }

  /**
   * Splits the next bucket in turn: those of its counters that belong to the new one move. The new
   * bucket is in use before the other one can be empty, so that a walk past the other reaches it.
   */
  private synchronized void addBucket(@Nullable SeriesCounter[] array, int added) {
    int source = added - Integer.highestOneBit(added);
    SeriesCounter lastKept = null;
    SeriesCounter lastMoved = null;
    version++;
    for (SeriesCounter each = head(array, source); each != null; each = each.next()) {
      if (bucket(hash(each.identifier()), added + 1, array.length) == added) {
        append(array, added, lastMoved, each);
        lastMoved = each;
      } else {
        append(array, source, lastKept, each);
        lastKept = each;
      }
    }
    buckets = added + 1;
    append(array, source, lastKept, null);
    append(array, added, lastMoved, null);
    version++;
  }

  private static void append(
      @Nullable SeriesCounter[] array,
      int bucket,
      @Nullable SeriesCounter last,
      @Nullable SeriesCounter next) {
    if (last == null) {
      setHead(array, bucket, next);
    } else {
      last.setNext(next);
    }
  }

  /** Removes a counter; false if it is not in the table. */
  synchronized boolean remove(SeriesCounter counter) {
    SeriesCounter[] array = heads;
    int bucket = bucket(hash(counter.identifier()), buckets, array.length);
    SeriesCounter last = null;
    for (SeriesCounter each = head(array, bucket); each != null; each = each.next()) {
      if (each == counter) {
        version++;
        append(array, bucket, last, counter.next());
        counter.setNext(null); // a removed counter may be kept, and would keep those behind it
        version++;
        chained--;
        return true;
      }
      last = each;
    }
    ConcurrentHashMap<String, SeriesCounter> others = overflow;
    return others != null && others.remove(counter.identifier(), counter);
  }

  boolean isEmpty() {
    ConcurrentHashMap<String, SeriesCounter> others = overflow;
    return chained == 0 && (others == null || others.isEmpty());
  }

  /**
   * All counters, in no order. One that is added or removed meanwhile may be missed, and one that
   * moves may be returned twice. Used by one thread at a time.
   */
  @Override
  public Iterator<SeriesCounter> iterator() {
    return new Walk();
  }

  private int copyChain(int bucket, SeriesCounter[] chain) {
    return head(heads, bucket) == null ? 0 : copyChainLocked(bucket, chain);
  }

  private synchronized int copyChainLocked(int bucket, SeriesCounter[] chain) {
    int length = 0;
    for (SeriesCounter each = head(heads, bucket); each != null; each = each.next()) {
      chain[length++] = each;
    }
    return length;
  }

  /**
   * Bucket by bucket, each copied when the walk enters it, in ascending order: counters only move
   * to a higher bucket, which is still to come.
   */
  private final class Walk implements Iterator<SeriesCounter> {

    private final SeriesCounter[] chain = new SeriesCounter[MAX_CHAIN];
    private int left;
    private int bucket;
    private Iterator<SeriesCounter> others = Collections.emptyIterator();
    private boolean inOthers;

    @Override
    public boolean hasNext() {
      while (left == 0 && bucket < buckets) {
        left = copyChain(bucket++, chain);
      }
      if (left == 0 && !inOthers) {
        inOthers = true;
        ConcurrentHashMap<String, SeriesCounter> beyond = overflow;
        others = beyond == null ? others : beyond.values().iterator();
      }
      return left > 0 || others.hasNext();
    }

    @Override
    public SeriesCounter next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return left > 0 ? chain[--left] : others.next();
    }
  }

  /** The bucket of a hash: as many low bits as the array has, or one less if that is not in use. */
  private static int bucket(int hash, int buckets, int length) {
    int bucket = hash & (length - 1);
    return bucket < buckets ? bucket : hash & (length / 2 - 1);
  }

  /** Adds the high bits of the hash of a string to the low ones, as other maps do. */
  private static int hash(String identifier) {
    int hash = identifier.hashCode();
    return hash ^ hash >>> 16;
  }

  private static @Nullable SeriesCounter head(@Nullable SeriesCounter[] array, int bucket) {
    return (SeriesCounter) HEAD.getAcquire(array, bucket);
  }

  private static void setHead(
      @Nullable SeriesCounter[] array, int bucket, @Nullable SeriesCounter counter) {
    HEAD.setRelease(array, bucket, counter);
  }
}
