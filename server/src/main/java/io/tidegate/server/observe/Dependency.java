package io.tidegate.server.observe;

import java.time.InstantSource;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is known of something that the node calls, from how its last calls went.
 *
 * <p>Reads and writes are told apart: a Redis that is out of memory answers the ones and fails the
 * others, and is not well in between. Told by any thread; the callers may be many and quick, so
 * what changes nothing writes nothing.
 */
final class Dependency {

  enum Status {
    /** The last calls worked. */
    OK,
    /** The last read or the last write failed. */
    DEGRADED,
    /** There is none, by configuration. */
    UNUSED,
    /** Nobody has called it yet. */
    UNKNOWN
  }

  /** What is called. */
  enum Call {
    READ,
    WRITE
  }

  /**
   * A dependency at one moment.
   *
   * @param reason a word for why the last call failed; null if it did not
   * @param sinceMillis when that began, in milliseconds since 1970; 0 if it did not
   */
  record State(Status status, @Nullable String reason, long sinceMillis) {

    static final State OK = new State(Status.OK, null, 0);
    static final State UNUSED = new State(Status.UNUSED, null, 0);
    static final State UNKNOWN = new State(Status.UNKNOWN, null, 0);
  }

  /** One word in small letters: nothing that names a host, a user or a key is that. */
  private static final Pattern REASON = Pattern.compile("[a-z][a-z_]{0,39}");

  /** What a breaker's refusal says of the dependency: nothing that was not known before. */
  private static final String CIRCUIT_OPEN = "circuit_open";

  private final InstantSource clock;
  private volatile State reads;
  private volatile State writes;

  private Dependency(InstantSource clock, State initial) {
    this.clock = clock;
    this.reads = initial;
    this.writes = initial;
  }

  static Dependency configured(InstantSource clock, boolean configured) {
    return new Dependency(clock, configured ? State.UNKNOWN : State.UNUSED);
  }

  void worked(Call call) {
    if (last(call) != State.OK) {
      set(call, State.OK);
    }
  }

  /**
   * A call failed.
   *
   * @param reason one word in small letters, with underscores; anything else is shown as "other",
   *     for it might tell what is nobody's business
   */
  synchronized void failed(Call call, String reason) {
    State last = last(call);
    String word = REASON.matcher(reason).matches() ? reason : "other";
    if (last.status != Status.DEGRADED) {
      set(call, new State(Status.DEGRADED, word, clock.millis()));
    } else if (!word.equals(CIRCUIT_OPEN) && !word.equals(last.reason)) {
      set(call, new State(Status.DEGRADED, word, last.sinceMillis));
    }
  }

  State state() {
    State read = reads;
    State write = writes;
    if (read.status == Status.DEGRADED && write.status == Status.DEGRADED) {
      return read.sinceMillis <= write.sinceMillis ? read : write;
    }
    if (read.status == Status.DEGRADED || write.status == Status.DEGRADED) {
      return read.status == Status.DEGRADED ? read : write;
    }
    return read.status == Status.OK ? read : write;
  }

  private State last(Call call) {
    return call == Call.READ ? reads : writes;
  }

  private synchronized void set(Call call, State state) {
    if (call == Call.READ) {
      reads = state;
    } else {
      writes = state;
    }
  }
}
