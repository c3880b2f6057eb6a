package io.tidegate.grpc;

import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A service that answers texts with the same texts. Counts the calls that reach it. */
final class Echo {

  static final MethodDescriptor<String, String> UNARY =
      method("test.Echo", "Unary", MethodType.UNARY);
  static final MethodDescriptor<String, String> SERVER_STREAM =
      method("test.Echo", "ServerStream", MethodType.SERVER_STREAMING);
  static final MethodDescriptor<String, String> CLIENT_STREAM =
      method("test.Echo", "ClientStream", MethodType.CLIENT_STREAMING);
  static final MethodDescriptor<String, String> BIDI =
      method("test.Echo", "Bidi", MethodType.BIDI_STREAMING);
  static final MethodDescriptor<String, String> OTHER =
      method("test.Other", "Unary", MethodType.UNARY);

  static final ServiceDescriptor SERVICE = ServiceDescriptor.newBuilder("test.Echo")
      .addMethod(UNARY)
      .addMethod(SERVER_STREAM)
      .addMethod(CLIENT_STREAM)
      .addMethod(BIDI)
      .build();

  static final Context.Key<String> USER = Context.key("user");

  /** Answered by {@code SERVER_STREAM} to one message. */
  static final int STREAM_LENGTH = 5;

  final AtomicInteger calls = new AtomicInteger();

  /** What handlers have received, in order. */
  final List<String> received = new CopyOnWriteArrayList<>();

  ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(UNARY, ServerCalls.asyncUnaryCall(this::unary))
        .addMethod(SERVER_STREAM, ServerCalls.asyncServerStreamingCall(this::serverStream))
        .addMethod(CLIENT_STREAM, ServerCalls.asyncClientStreamingCall(this::clientStream))
        .addMethod(BIDI, ServerCalls.asyncBidiStreamingCall(this::bidi))
        .build();
  }

  ServerServiceDefinition otherService() {
    return ServerServiceDefinition.builder("test.Other")
        .addMethod(OTHER, ServerCalls.asyncUnaryCall(this::unary))
        .build();
  }

  private void unary(String request, StreamObserver<String> responses) {
    calls.incrementAndGet();
    received.add(request);
    switch (request) {
      case "user?" -> responses.onNext(String.valueOf(USER.get()));
      case "thread?" -> responses.onNext(Thread.currentThread().getName());
      case "decision?" ->
        responses.onNext(
            String.valueOf(RateLimitServerInterceptor.DECISION.get().decisions()));
      default -> responses.onNext(request);
    }
    responses.onCompleted();
  }

  private void serverStream(String request, StreamObserver<String> responses) {
    calls.incrementAndGet();
    for (int i = 0; i < STREAM_LENGTH; i++) {
      responses.onNext(request + i);
    }
    responses.onCompleted();
  }

  private StreamObserver<String> clientStream(StreamObserver<String> responses) {
    calls.incrementAndGet();
    if ("thrower".equals(USER.get())) {
      throw new IllegalStateException("thrown by a test");
    }
    return new StreamObserver<>() {
      @Override
      public void onNext(String message) {
        received.add(message);
      }

      @Override
      public void onError(Throwable failure) {
        received.add("error");
      }

      @Override
      public void onCompleted() {
        responses.onNext(String.join(",", received));
        responses.onCompleted();
      }
    };
  }

  private StreamObserver<String> bidi(StreamObserver<String> responses) {
    calls.incrementAndGet();
    return new StreamObserver<>() {
      @Override
      public void onNext(String message) {
        received.add(message);
        responses.onNext(message);
      }

      @Override
      public void onError(Throwable failure) {
        received.add("error");
      }

      @Override
      public void onCompleted() {
        received.add("completed");
        responses.onCompleted();
      }
    };
  }

  private static MethodDescriptor<String, String> method(
      String service, String name, MethodType type) {
    return MethodDescriptor.newBuilder(new Text(), new Text())
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
        .build();
  }

  private static final class Text implements Marshaller<String> {

    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
