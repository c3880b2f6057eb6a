package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.Timeline;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The events of a run as text, and a hash of them. Equal runs have equal hashes. */
final class Trace {

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final Timeline timeline;
  private final @Nullable Consumer<String> reader;
  private long hash = FNV_OFFSET;

  Trace(Timeline timeline, @Nullable Consumer<String> reader) {
    this.timeline = timeline;
    this.reader = reader;
  }

  void add(String event) {
    for (int shift = 0; shift < Long.SIZE; shift += Short.SIZE) {
      hash = (hash ^ (timeline.nowNanos() >>> shift & 0xffff)) * FNV_PRIME;
    }
    for (int i = 0; i < event.length(); i++) {
      hash = (hash ^ event.charAt(i)) * FNV_PRIME;
    }
    if (reader != null) {
      reader.accept(String.format(Locale.ROOT, "%14.6f  %s", timeline.nowNanos() / 1e9, event));
    }
  }

  String hash() {
    return String.format(Locale.ROOT, "%016x", hash);
  }
}
