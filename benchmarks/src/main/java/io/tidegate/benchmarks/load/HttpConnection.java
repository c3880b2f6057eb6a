package io.tidegate.benchmarks.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** A persistent HTTP connection with one request in flight. */
public final class HttpConnection implements LoadConnection {

  /** Larger than the answer to a batch of a hundred limits. */
  private static final int MAX_ANSWER_BYTES = 64 << 10;

  /** Receives answers other than 2xx. */
  public interface Refusals {

    /** A refusal fails the load. */
    Refusals FAIL = (status, answer) -> {
      throw new IllegalStateException("the server answered " + answer.get());
    };

    /**
     * Counts an answer, or throws an exception if it makes the load invalid.
     *
     * @param answer the whole text of it, decoded when needed
     */
    void refused(int status, Supplier<String> answer);
  }

  private final SocketChannel channel;
  private final PreparedRequest request;
  private final Refusals refusals;
  private final HttpAnswer answer = new HttpAnswer(MAX_ANSWER_BYTES);
  private long dueNanos;

  public HttpConnection(InetSocketAddress server, PreparedRequest request, Refusals refusals)
      throws IOException {
    this.request = request;
    this.refusals = refusals;
    this.channel = SocketChannel.open(server);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
  }

  @Override
  public SocketChannel channel() {
    return channel;
  }

  @Override
  public int capacity() {
    return 1;
  }

  @Override
  public void send(long number, long dueNanos) throws IOException {
    this.dueNanos = dueNanos;
    request.write(number, channel);
  }

  /** Does nothing: a request is sent at once. */
  @Override
  public void flush() {}

  @Override
  public void receive(LongConsumer answered) throws IOException {
    if (answer.receive(channel)) {
      int status = answer.status();
      if (status / 100 != 2) {
        refusals.refused(status, answer::text);
      }
      answer.clear();
      answered.accept(dueNanos);
    }
  }
}
