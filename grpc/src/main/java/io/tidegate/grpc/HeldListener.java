package io.tidegate.grpc;

import io.grpc.ServerCall;
import org.jspecify.annotations.Nullable;

/**
 * The listener of a call whose decision is pending. It holds back the events of the call until the
 * handler has been started.
 *
 * <p>There are few: no messages have been requested yet, so gRPC holds these back itself.
 */
final class HeldListener<Q> extends ServerCall.Listener<Q> {

  private final HeldActions events = new HeldActions();

  /** Set before events are let through. */
  private volatile ServerCall.@Nullable Listener<Q> listener;

  private volatile boolean cancelled;

  /** Whether the client has given up. */
  boolean isCancelled() {
    return cancelled;
  }

  /** Passes all events on, those held back first. */
  void open(ServerCall.Listener<Q> listener) {
    this.listener = listener;
    events.open();
  }

  /** Passes no further events on. Called after a failure, also one within {@link #open}. */
  void discard() {
    open(new ServerCall.Listener<>() {});
  }

  @Override
  public void onMessage(Q message) {
    events.run(() -> listener().onMessage(message));
  }

  @Override
  public void onHalfClose() {
    events.run(() -> listener().onHalfClose());
  }

  @Override
  public void onCancel() {
    cancelled = true;
    events.run(() -> listener().onCancel());
  }

  @Override
  public void onComplete() {
    events.run(() -> listener().onComplete());
  }

  @Override
  public void onReady() {
    events.run(() -> listener().onReady());
  }

  private ServerCall.Listener<Q> listener() {
    ServerCall.Listener<Q> set = listener;
    if (set == null) {
      throw new IllegalStateException("events are held back before there is a listener");
    }
    return set;
  }
}
