package io.tidegate.grpc;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.tidegate.rules.web.WebRequest;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** A call as rules see it: the HTTP/2 request that carries it. */
final class GrpcRequest implements WebRequest {

  /** The method of all calls. */
  static final String METHOD = "POST";

  private final ServerCall<?, ?> call;
  private final Metadata metadata;

  GrpcRequest(ServerCall<?, ?> call, Metadata metadata) {
    this.call = call;
    this.metadata = metadata;
  }

  @Override
  public String method() {
    return METHOD;
  }

  @Override
  public String path() {
    return GrpcRules.method(call.getMethodDescriptor());
  }

  /** Binary values are in Base64, as on the wire. */
  @Override
  public List<String> headers(String name) {
    String key = name.toLowerCase(Locale.ROOT);
    List<String> values = new ArrayList<>(1);
    if (key.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
      Iterable<byte[]> present =
          metadata.getAll(Metadata.Key.of(key, Metadata.BINARY_BYTE_MARSHALLER));
      if (present != null) {
        Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
        present.forEach(value -> values.add(base64.encodeToString(value)));
      }
    } else {
      Iterable<String> present =
          metadata.getAll(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER));
      if (present != null) {
        present.forEach(values::add);
      }
    }
    return values;
  }

  /** Calls have no cookies. */
  @Override
  public @Nullable String cookie(String name) {
    return null;
  }

  /** Null for calls that do not come from a network, such as those within the process. */
  @Override
  public @Nullable String remoteAddress() {
    return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress ip
            && ip.getAddress() != null
        ? ip.getAddress().getHostAddress()
        : null;
  }

  /** The subject of the client's certificate; null without one. */
  @Override
  public @Nullable String principal() {
    SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    try {
      return session == null ? null : session.getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException e) {
      return null;
    }
  }

  /** Returns the {@link ServerCall} or the {@link Metadata}. */
  @Override
  public <T> T unwrap(Class<T> type) {
    return type.isInstance(metadata) ? type.cast(metadata) : WebRequest.cast(call, type);
  }
}
