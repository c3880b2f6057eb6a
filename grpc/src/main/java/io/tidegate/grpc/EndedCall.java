package io.tidegate.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import org.jspecify.annotations.Nullable;

/** A call that was never sent. Ignores its operations. */
final class EndedCall<Q, R> extends ClientCall<Q, R> {

  @Override
  public void start(Listener<R> listener, Metadata headers) {
    throw new IllegalStateException("the call has ended");
  }

  @Override
  public void request(int messages) {}

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {}

  @Override
  public void halfClose() {}

  @Override
  public void sendMessage(Q message) {}

  @Override
  public boolean isReady() {
    return false;
  }
}
