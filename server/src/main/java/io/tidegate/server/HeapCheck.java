package io.tidegate.server;

import io.tidegate.server.log.Log;

/** Compares the heap with what {@code max-series} may need, before it is needed. */
final class HeapCheck {

  /** Bytes of a series, as docs/operating.md states them. */
  private static final long ALONE_BYTES = 165;

  private static final long SHARED_BYTES = 295;

  /** The catalog, connections, and room for the collector. */
  private static final long OTHER_BYTES = 100_000_000;

  private static final long MEGABYTE = 1_000_000;

  private HeapCheck() {}

  /** Bytes of heap that a node needs while its stores are available. */
  static long neededBytes(int maxSeries, boolean shared) {
    return OTHER_BYTES + maxSeries * (shared ? SHARED_BYTES : ALONE_BYTES);
  }

  /** Logs a warning if the heap is too small. */
  static void warnIfSmall(int maxSeries, boolean shared, long heapBytes) {
    long needed = neededBytes(maxSeries, shared);
    if (heapBytes < needed) {
      Log.warn(
          "the heap is too small for max-series; the node may run out of memory before it evicts series",
          "maxSeries",
          maxSeries,
          "heapMegabytes",
          heapBytes / MEGABYTE,
          "neededMegabytes",
          needed / MEGABYTE,
          "fix",
          "set TIDEGATE_HEAP or -Xmx, or lower max-series");
    }
  }
}
