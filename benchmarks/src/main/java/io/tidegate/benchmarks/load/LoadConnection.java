package io.tidegate.benchmarks.load;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.util.function.LongConsumer;

/** A connection to a server, used by the thread of one {@link LoadGenerator}. */
public interface LoadConnection {

  /** The channel in non-blocking mode. */
  SelectableChannel channel();

  /** The number of requests that may be in flight. */
  int capacity();

  /**
   * Writes a request, at the latest with the next {@link #flush}.
   *
   * @param number the number of the request, which selects its key
   * @param dueNanos when the request was due; {@link #receive} returns it with the answer
   */
  void send(long number, long dueNanos) throws IOException;

  void flush() throws IOException;

  /**
   * Reads available bytes.
   *
   * @param answered receives the due time of each request whose answer is complete
   * @throws IllegalStateException if an answer is an error
   */
  void receive(LongConsumer answered) throws IOException;
}
