package io.tidegate.server.http;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An exchange of a {@link PlainConnection}, whose body has been received. */
final class PlainExchange extends HttpExchange {

  private final PlainConnection plain;
  private final PlainHead head;

  /** Lines of the answer's head, with their ends; null if there are no additional ones. */
  private @Nullable StringBuilder addedHeaders;

  PlainExchange(
      EventLoop loop,
      ClientConnection connection,
      PlainConnection plain,
      PlainHead head,
      long nowNanos) {
    super(loop, connection, head.endpoint(), nowNanos);
    this.plain = plain;
    this.head = head;
  }

  @Override
  public @Nullable String header(CharSequence name) {
    return head.header(name);
  }

  @Override
  public List<String> headers(String name) {
    return head.headers(name);
  }

  @Override
  public <T> T fromHeaders(Function<HttpExchange, T> reader) {
    return head.read(this, reader);
  }

  @Override
  public @Nullable String query() {
    return null;
  }

  @Override
  public boolean isHttp2() {
    return false;
  }

  @Override
  public void addHeader(CharSequence name, CharSequence value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < ' ' || value.charAt(i) > '~') {
        throw new IllegalArgumentException("header " + name + " must be printable ASCII: " + value);
      }
    }
    if (addedHeaders == null) {
      addedHeaders = new StringBuilder();
    }
    addedHeaders.append(name).append(": ").append(value).append("\r\n");
  }

  @Override
  public void succeed(
      CharSequence contentType, Buffer content, CharSequence trailer, CharSequence value) {
    throw new IllegalStateException("trailers need HTTP/2");
  }

  @Override
  void send(int status, CharSequence contentType, byte[] content, int length) {
    boolean last = endsConnection() || loop().isStopping();
    plain.send(status, contentType, addedHeaders, content, length, last);
  }

  @Override
  void ended() {
    plain.ended();
  }
}
