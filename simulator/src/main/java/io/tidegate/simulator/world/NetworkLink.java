package io.tidegate.simulator.world;

import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The way from a node to a server and back. What goes over it takes its time, each message its own,
 * so that one may overtake another; it may be lost or arrive twice.
 */
public final class NetworkLink {

  /**
   * How a way is.
   *
   * @param shortestNanos the least that a message takes, one way
   * @param longestNanos the most
   * @param loss the part of messages that are lost, there and back; 1 for a way that is cut
   * @param repetition the part of calls that arrive twice
   */
  public record Quality(long shortestNanos, long longestNanos, double loss, double repetition) {

    /** A way on which nothing is lost. */
    public static Quality of(long shortestNanos, long longestNanos) {
      return new Quality(shortestNanos, longestNanos, 0, 0);
    }
  }

  private final Timeline timeline;
  private final Random random;
  private final Node node;
  private final Service service;
  private Quality quality;

  NetworkLink(Timeline timeline, Random random, Node node, Service service, Quality quality) {
    this.timeline = timeline;
    this.random = random;
    this.node = node;
    this.service = service;
    this.quality = quality;
  }

  public void become(Quality quality) {
    this.quality = quality;
  }

  /**
   * Has a server do something.
   *
   * @param work what the server does, which is told when the call arrived
   * @return its answer, which may never come
   */
  <T> CompletableFuture<T> call(LongFunction<T> work) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    send(work, answer);
    if (happens(quality.repetition)) {
      send(work, answer); // of two answers, the second changes nothing
    }
    return answer;
  }

  private <T> void send(LongFunction<T> work, CompletableFuture<T> answer) {
    if (!happens(quality.loss)) {
      timeline.after(delayNanos(), new Passage<>(work, answer));
    }
  }

  /** One message on its way there, and its answer on the way back. */
  private final class Passage<T> implements Runnable, Service.Reply<T> {

    private final LongFunction<T> work;
    private final CompletableFuture<T> answer;
    private boolean answered;
    private @Nullable T value;
    private @Nullable Throwable failure;

    Passage(LongFunction<T> work, CompletableFuture<T> answer) {
      this.work = work;
      this.answer = answer;
    }

    @Override
    public void run() {
      if (answered) {
        node.run(this::arrive);
      } else {
        service.handle(work, this);
      }
    }

    @Override
    public void done(@Nullable T value, @Nullable Throwable failure) {
      this.answered = true;
      this.value = value;
      this.failure = failure;
      if (!happens(quality.loss)) {
        timeline.after(delayNanos(), this);
      }
    }

    private void arrive() {
      if (failure == null) {
        answer.complete(value);
      } else {
        answer.completeExceptionally(failure);
      }
    }
  }

  private boolean happens(double part) {
    return part > 0 && random.nextDouble() < part;
  }

  private long delayNanos() {
    long spread = quality.longestNanos - quality.shortestNanos;
    return quality.shortestNanos + (spread == 0 ? 0 : (long) (random.nextDouble() * spread));
  }
}
