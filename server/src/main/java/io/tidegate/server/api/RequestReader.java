package io.tidegate.server.api;

import io.tidegate.server.http.HttpExchange;
import io.tidegate.server.http.InputError;
import io.tidegate.server.http.Problem;
import io.tidegate.server.http.ProblemException;
import io.tidegate.server.service.ServiceRequest;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body and the headers that all routes have in common. Every method throws a
 * {@link ProblemException} if its part of the request is invalid.
 */
final class RequestReader {

  private static final String BEARER = "Bearer ";

  private RequestReader() {}

  /** The caller's side of a request; does not check whether the root key exists. */
  static ServiceRequest request(HttpExchange exchange) {
    return new ServiceRequest(
        exchange.requestId(), exchange.path(), rootKey(exchange), exchange::resume);
  }

  private static @Nullable String rootKey(HttpExchange exchange) {
    String authorization = exchange.header(HttpHeaders.AUTHORIZATION);
    if (authorization == null) {
      return null;
    }
    String key = authorization.startsWith(BEARER) ? authorization.substring(BEARER.length()) : "";
    if (key.isBlank()) {
      throw new ProblemException(Problem.malformedAuthorization());
    }
    return key;
  }

  /** Reads a body that is one object. */
  static BodyObject object(HttpExchange exchange, byte[] body, BodySchema schema) {
    BodyObject plain = PlainBody.read(schema, body);
    if (plain != null && isJson(exchange) && !isCompressed(exchange)) {
      return plain;
    }
    checkReadable(exchange, body);
    return valid(exchange, BodyReader.object(schema, body)).get(0);
  }

  /** Reads a body that is an array of 1 to {@code maxObjects} objects. */
  static List<BodyObject> array(
      HttpExchange exchange, byte[] body, BodySchema schema, int maxObjects) {
    checkReadable(exchange, body);
    return valid(exchange, BodyReader.array(schema, body, maxObjects));
  }

  private static List<BodyObject> valid(HttpExchange exchange, BodyReader.Result result) {
    if (!result.errors().isEmpty()) {
      throw new ProblemException(Problem.invalidBody(exchange.path(), result.errors()));
    }
    return result.objects();
  }

  private static void checkReadable(HttpExchange exchange, byte[] body) {
    if (isCompressed(exchange)) {
      throw new ProblemException(Problem.unreadableBody("The body must not be compressed."));
    }
    if (!isJson(exchange)) {
      throw new ProblemException(Problem.invalidHeader(
          "The Content-Type of the body must be application/json.",
          new InputError(
              "header.Content-Type",
              "must be application/json",
              "Send the header 'Content-Type: application/json'.")));
    }
    if (!BodyReader.isUtf8(body)) {
      throw new ProblemException(Problem.unreadableBody("The body must be text in UTF-8."));
    }
  }

  private static boolean isCompressed(HttpExchange exchange) {
    String encoding = exchange.header(HttpHeaders.CONTENT_ENCODING);
    return encoding != null && !encoding.equalsIgnoreCase("identity");
  }

  /** A missing Content-Type means JSON. */
  private static boolean isJson(HttpExchange exchange) {
    String type = exchange.header(HttpHeaders.CONTENT_TYPE);
    return type == null || type.equals("application/json") || isJson(type);
  }

  private static boolean isJson(String contentType) {
    int end = contentType.indexOf(';');
    String type = end < 0 ? contentType : contentType.substring(0, end);
    return type.strip().equalsIgnoreCase("application/json");
  }
}
