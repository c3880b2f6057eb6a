package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.Timeline;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happened, line by line, and a hash of it: two runs of one seed that differ in anything
 * differ in it.
 */
final class Trace {

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final Timeline timeline;
  private final @Nullable Consumer<String> reader;
  private long hash = FNV_OFFSET;

  /**
   * A trace.
   *
   * @param reader is given every line; null if nobody reads
   */
  Trace(Timeline timeline, @Nullable Consumer<String> reader) {
    this.timeline = timeline;
    this.reader = reader;
  }

  void tell(String what) {
    mix(timeline.nowNanos());
    for (int i = 0; i < what.length(); i++) {
      hash = (hash ^ what.charAt(i)) * FNV_PRIME;
    }
    if (reader != null) {
      reader.accept(String.format(Locale.ROOT, "%14.6f  %s", timeline.nowNanos() / 1e9, what));
    }
  }

  private void mix(long value) {
    for (int shift = 0; shift < Long.SIZE; shift += Short.SIZE) {
      hash = (hash ^ (value >>> shift & 0xffff)) * FNV_PRIME;
    }
  }

  String hash() {
    return String.format(Locale.ROOT, "%016x", hash);
  }
}
