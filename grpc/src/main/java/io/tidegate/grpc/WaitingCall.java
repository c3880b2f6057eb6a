package io.tidegate.grpc;

import io.grpc.Attributes;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that starts when its limit has room.
 *
 * <p>Until then its operations are held back, and {@link #isReady} is false. Responses are held
 * back until all these operations have been passed on, so that {@code onReady} never comes while
 * {@link #isReady} is still false. The methods of a call are called by one thread at a time, except
 * for {@link #cancel}.
 */
final class WaitingCall<Q, R> extends ClientCall<Q, R> {

  private final Admission admission;
  private final Supplier<ClientCall<Q, R>> newCall;
  private final Executor executor;
  private final Context context = Context.current();
  private final HeldActions operations = new HeldActions();

  /** Null until the limit has room. Set before operations are let through. */
  private volatile @Nullable ClientCall<Q, R> call;

  /** Whether {@code isReady} of the call may be called, which it may not before its start. */
  private volatile boolean begun;

  /** Null before {@link #start}. Guarded by this. */
  private @Nullable CompletableFuture<Boolean> admitted;

  /** Why the call ends before it starts; null while it may still start. Guarded by this. */
  private @Nullable Status ending;

  WaitingCall(Admission admission, Supplier<ClientCall<Q, R>> newCall, Executor executor) {
    this.admission = admission;
    this.newCall = newCall;
    this.executor = context.fixedContextExecutor(executor);
  }

  @Override
  public void start(Listener<R> listener, Metadata headers) {
    Objects.requireNonNull(listener, "listener must not be null");
    if (isCancelled()) {
      executor.execute(() -> end(listener));
      return;
    }
    CompletableFuture<Boolean> admitted = admission.begin(context);
    if (!waitFor(admitted)) {
      admitted.cancel(false);
      executor.execute(() -> end(listener));
    } else if (admitted.isDone() && !admitted.isCompletedExceptionally() && admitted.join()) {
      begin(listener, headers);
    } else {
      awaitRoom(admitted, listener, headers);
    }
  }

  private synchronized boolean isCancelled() {
    if (admitted != null) {
      throw new IllegalStateException("the call has been started already");
    }
    return ending != null;
  }

  /** Returns whether the call may wait, which it may not if it was cancelled meanwhile. */
  private synchronized boolean waitFor(CompletableFuture<Boolean> admitted) {
    this.admitted = admitted;
    return ending == null;
  }

  /** Starts without a wait, before the caller can use the call. Its listener may be faster. */
  private void begin(Listener<R> listener, Metadata headers) {
    ClientCall<Q, R> started = newCall.get();
    call = started;
    begun = true;
    started.start(listener, headers);
    operations.open();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // failures end the call
  private void awaitRoom(
      CompletableFuture<Boolean> admitted, Listener<R> listener, Metadata headers) {
    Context.CancellationListener giveUp =
        cancelled -> giveUp(Contexts.statusFromCancelled(cancelled));
    context.addListener(giveUp, Runnable::run);
    admitted.whenCompleteAsync(
        (room, failure) -> {
          context.removeListener(giveUp);
          if (failure != null || !room) {
            fail(failure, listener);
          } else {
            HeldResponses<R> responses = new HeldResponses<>(listener);
            beginLate(responses, headers);
            responses.open();
          }
        },
        executor);
  }

  /** Starts while the caller may use the call. */
  private void beginLate(Listener<R> responses, Metadata headers) {
    ClientCall<Q, R> started;
    try {
      started = newCall.get();
      started.start(responses, headers);
    } catch (RuntimeException | Error e) {
      discardOperations();
      responses.onClose(Status.fromThrowable(e), new Metadata());
      return;
    }
    call = started;
    try {
      operations.open();
    } catch (RuntimeException | Error e) { // such as a message that cannot be serialized
      started.cancel("an operation that was held back failed", e);
      discardOperations();
    }
    begun = true;
  }

  private void fail(@Nullable Throwable failure, Listener<R> listener) {
    synchronized (this) {
      if (ending == null) {
        ending = failure == null
            ? admission.denial(context)
            : Status.INTERNAL.withDescription("cannot decide on the call").withCause(failure);
      }
    }
    end(listener);
  }

  private void end(Listener<R> listener) {
    Status status;
    synchronized (this) {
      status = Objects.requireNonNull(ending);
    }
    discardOperations();
    listener.onClose(status, new Metadata());
  }

  private void discardOperations() {
    call = new EndedCall<>();
    operations.open();
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    Status status = Status.CANCELLED
        .withDescription(message == null ? "cancelled without a message" : message)
        .withCause(cause);
    if (!giveUp(status)) {
      operations.run(() -> call().cancel(message, cause));
    }
  }

  /** Returns false if the limit has had room already, or the call has ended. */
  private boolean giveUp(Status status) {
    CompletableFuture<Boolean> waiting;
    synchronized (this) {
      waiting = admitted;
      if (waiting != null && waiting.isDone()) {
        return false;
      }
      if (ending == null) {
        ending = status;
      }
    }
    return waiting == null || waiting.cancel(false);
  }

  @Override
  public void request(int messages) {
    operations.run(() -> call().request(messages));
  }

  @Override
  public void sendMessage(Q message) {
    operations.run(() -> call().sendMessage(message));
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    operations.run(() -> call().setMessageCompression(enabled));
  }

  @Override
  public void halfClose() {
    operations.run(() -> call().halfClose());
  }

  @Override
  public boolean isReady() {
    return begun && call().isReady();
  }

  @Override
  public Attributes getAttributes() {
    ClientCall<Q, R> started = call;
    return started == null ? Attributes.EMPTY : started.getAttributes();
  }

  private ClientCall<Q, R> call() {
    return Objects.requireNonNull(call, "operations are held back before there is a call");
  }
}
