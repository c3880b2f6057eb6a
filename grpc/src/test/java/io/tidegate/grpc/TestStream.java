package io.tidegate.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A call without a stub, for tests of flow control, order and cancellation. */
final class TestStream {

  final ClientCall<String, String> call;
  final List<String> responses = new CopyOnWriteArrayList<>();

  /** All events, {@code ready} with the state that the call then has. */
  final List<String> events = new CopyOnWriteArrayList<>();

  private final CompletableFuture<Status> closed = new CompletableFuture<>();
  private volatile Metadata trailers = new Metadata();

  private TestStream(ClientCall<String, String> call) {
    this.call = call;
  }

  /** Starts a call that requests all messages. */
  static TestStream of(Channel channel, MethodDescriptor<String, String> method) {
    TestStream stream = notStarted(channel, method, CallOptions.DEFAULT);
    stream.start();
    stream.call.request(Integer.MAX_VALUE);
    return stream;
  }

  static TestStream notStarted(
      Channel channel, MethodDescriptor<String, String> method, CallOptions options) {
    return new TestStream(channel.newCall(method, options));
  }

  void start() {
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onReady() {
            events.add("ready " + call.isReady());
          }

          @Override
          public void onHeaders(Metadata headers) {
            events.add("headers");
          }

          @Override
          public void onMessage(String message) {
            events.add("message");
            responses.add(message);
          }

          @Override
          public void onClose(Status status, Metadata received) {
            events.add("close");
            trailers = received;
            closed.complete(status);
          }
        },
        new Metadata());
  }

  void send(String message) {
    call.sendMessage(message);
  }

  void halfClose() {
    call.halfClose();
  }

  boolean isClosed() {
    return closed.isDone();
  }

  Metadata trailers() {
    return trailers;
  }

  Status await() throws Exception {
    return closed.get(20, TimeUnit.SECONDS);
  }
}
