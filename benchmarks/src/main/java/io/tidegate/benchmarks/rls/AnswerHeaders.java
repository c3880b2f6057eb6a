package io.tidegate.benchmarks.rls;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.ByteBuffer;

/**
 * Checks headers and trailers of the answers on one connection. A block that has only references to
 * the table of headers leaves it as it is, so the same block again means the same and is not
 * decoded.
 */
final class AnswerHeaders {

  private static final byte[] NONE = {};

  private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);
  private byte[] validHeaders = NONE;
  private byte[] validTrailers = NONE;

  /**
   * Checks the headers of an answer.
   *
   * @throws IllegalStateException if they are not those of a gRPC answer
   */
  void checkHeaders(ByteBuffer block) {
    if (!isEqual(validHeaders, block)) {
      byte[] bytes = bytes(block);
      Http2Headers headers = decode(bytes);
      require("200".contentEquals(String.valueOf(headers.status())), headers);
      validHeaders = isTable(bytes) ? bytes : NONE;
    }
  }

  /**
   * Checks the trailers of an answer.
   *
   * @throws IllegalStateException if they report an error
   */
  void checkTrailers(ByteBuffer block) {
    if (!isEqual(validTrailers, block)) {
      byte[] bytes = bytes(block);
      Http2Headers trailers = decode(bytes);
      require("0".contentEquals(String.valueOf(trailers.get("grpc-status"))), trailers);
      validTrailers = isTable(bytes) ? bytes : NONE;
    }
  }

  private static void require(boolean valid, Http2Headers headers) {
    if (!valid) {
      throw new IllegalStateException("the server answered " + headers);
    }
  }

  /** Decodes a block. It may change the table, so earlier blocks may mean something else now. */
  private Http2Headers decode(byte[] block) {
    if (!isTable(block)) {
      validHeaders = NONE;
      validTrailers = NONE;
    }
    try {
      return decoder.decodeHeaders(1, Unpooled.wrappedBuffer(block));
    } catch (Http2Exception e) {
      throw new IllegalStateException("the server sent invalid headers", e);
    }
  }

  /** Whether all bytes are references to the table. */
  private static boolean isTable(byte[] block) {
    for (byte one : block) {
      if (one >= 0 || one == (byte) 0xff) { // others are literals, or references of several bytes
        return false;
      }
    }
    return true;
  }

  private static boolean isEqual(byte[] known, ByteBuffer block) {
    if (known.length == 0 || known.length != block.remaining()) {
      return false;
    }
    for (int i = 0; i < known.length; i++) {
      if (known[i] != block.get(block.position() + i)) {
        return false;
      }
    }
    return true;
  }

  private static byte[] bytes(ByteBuffer block) {
    byte[] bytes = new byte[block.remaining()];
    block.get(block.position(), bytes);
    return bytes;
  }
}
