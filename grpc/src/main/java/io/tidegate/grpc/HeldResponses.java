package io.tidegate.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;

/** Holds back the responses to a call until {@link #open}. */
final class HeldResponses<R> extends ClientCall.Listener<R> {

  private final ClientCall.Listener<R> listener;
  private final HeldActions responses = new HeldActions();

  HeldResponses(ClientCall.Listener<R> listener) {
    this.listener = listener;
  }

  void open() {
    responses.open();
  }

  @Override
  public void onHeaders(Metadata headers) {
    responses.run(() -> listener.onHeaders(headers));
  }

  @Override
  public void onMessage(R message) {
    responses.run(() -> listener.onMessage(message));
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    responses.run(() -> listener.onClose(status, trailers));
  }

  @Override
  public void onReady() {
    responses.run(listener::onReady);
  }
}
