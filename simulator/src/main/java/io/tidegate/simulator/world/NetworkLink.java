package io.tidegate.simulator.world;

import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * The network between a node and a server. Each message takes a random time of its own, so messages
 * may overtake each other; they may also be lost or delivered twice.
 */
public final class NetworkLink {

  /** Longest extra delay of a degraded link, one way. Longer than every timeout of a read. */
  private static final long MAX_EXTRA_NANOS = 2_000_000_000L;

  /**
   * Delay and reliability of a link.
   *
   * @param longestNanos longest delay of a message, one way; all between are as likely
   * @param loss fraction of messages that are lost, in each direction
   * @param repetition fraction of calls that are delivered twice
   */
  public record Quality(long shortestNanos, long longestNanos, double loss, double repetition) {

    /** The quality of a link that loses and repeats nothing. */
    public static Quality of(long shortestNanos, long longestNanos) {
      return new Quality(shortestNanos, longestNanos, 0, 0);
    }
  }

  private final Timeline timeline;
  private final Random random;
  private final Node node;
  private final Service service;
  private final Quality healthy;
  private Quality quality;

  NetworkLink(Timeline timeline, Random random, Node node, Service service, Quality healthy) {
    this.timeline = timeline;
    this.random = random;
    this.node = node;
    this.service = service;
    this.healthy = healthy;
    this.quality = healthy;
  }

  /** Restores the quality that the link was created with. */
  public void heal() {
    quality = healthy;
  }

  /** Loses all messages until the link is healed. */
  public void cut() {
    worsen(new Quality(healthy.shortestNanos, healthy.longestNanos, 1, 0));
  }

  /**
   * Delays, loses and repeats messages by a strength of 0 to 1, until the link is healed. Of
   * several impairments the worst one counts.
   */
  public void degrade(double strength) {
    worsen(new Quality(
        healthy.shortestNanos,
        healthy.longestNanos + (long) (strength * MAX_EXTRA_NANOS),
        strength / 2,
        (1 - strength) / 2));
  }

  private void worsen(Quality other) {
    if (other.loss > quality.loss) {
      quality = other;
    }
  }

  /**
   * Sends a call to the server, which executes it with the time of its arrival. The answer may
   * never complete.
   */
  <T> CompletableFuture<T> call(LongFunction<T> work) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    send(work, answer);
    if (happens(quality.repetition)) {
      send(work, answer); // the second answer completes nothing
    }
    return answer;
  }

  private <T> void send(LongFunction<T> work, CompletableFuture<T> answer) {
    deliver(() -> service.handle(
        work,
        (value, failure) -> deliver(() -> node.run(() -> {
          if (failure == null) {
            answer.complete(value);
          } else {
            answer.completeExceptionally(failure);
          }
        }))));
  }

  /** Runs an event after the delay of a message, unless the message is lost. */
  private void deliver(Runnable event) {
    if (!happens(quality.loss)) {
      timeline.after(delayNanos(), event);
    }
  }

  private boolean happens(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  private long delayNanos() {
    long range = quality.longestNanos - quality.shortestNanos;
    return quality.shortestNanos + (range == 0 ? 0 : (long) (random.nextDouble() * range));
  }
}
