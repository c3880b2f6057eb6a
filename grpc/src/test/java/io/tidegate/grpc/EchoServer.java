package io.tidegate.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A gRPC server on a free port of the loopback address, with an {@link Echo} and a channel. */
final class EchoServer implements AutoCloseable {

  static final Metadata.Key<String> API_KEY =
      Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER);

  final Echo echo = new Echo();
  final Server server;
  final ManagedChannel channel;

  /** Interceptors run in the reverse order, as in gRPC itself. */
  EchoServer(ServerInterceptor... interceptors) {
    this(null, interceptors);
  }

  /** With an executor for all calls; null for that of gRPC. */
  EchoServer(Executor executor, ServerInterceptor... interceptors) {
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      NettyServerBuilder builder = NettyServerBuilder.forAddress(free)
          .executor(executor)
          .addService(echo.service())
          .addService(echo.otherService());
      for (ServerInterceptor interceptor : interceptors) {
        builder.intercept(interceptor);
      }
      server = builder.build().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    channel = channel(builder -> builder);
  }

  ManagedChannel channel(UnaryOperator<NettyChannelBuilder> settings) {
    return settings
        .apply(NettyChannelBuilder.forAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort())))
        .usePlaintext()
        .build();
  }

  Channel with(ClientInterceptor... interceptors) {
    return ClientInterceptors.intercept(channel, interceptors);
  }

  Channel withKey(String key) {
    Metadata metadata = new Metadata();
    metadata.put(API_KEY, key);
    return with(MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  String call(String message) {
    return call(channel, Echo.UNARY, message);
  }

  static String call(Channel channel, String message) {
    return call(channel, Echo.UNARY, message);
  }

  static String call(Channel channel, MethodDescriptor<String, String> method, String message) {
    return ClientCalls.blockingUnaryCall(
        channel, method, CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS), message);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
    try {
      channel.awaitTermination(10, TimeUnit.SECONDS);
      server.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
