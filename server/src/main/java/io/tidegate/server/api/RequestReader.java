package io.tidegate.server.api;

import io.tidegate.server.http.HttpExchange;
import io.tidegate.server.http.InputError;
import io.tidegate.server.http.Problem;
import io.tidegate.server.http.ProblemException;
import io.tidegate.server.service.RootKeySecret;
import io.tidegate.server.service.ServiceRequest;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body and the headers that all routes have in common. Every method throws a
 * {@link ProblemException} if its part of the request is invalid.
 */
final class RequestReader {

  private static final String BEARER = "Bearer ";

  /** One object, because an exchange may keep the result of a function that it knows. */
  private static final Function<HttpExchange, Headers> HEADERS = RequestReader::headers;

  private RequestReader() {}

  /**
   * What the headers say.
   *
   * @param rootKey null if there is no authorization, or it is malformed
   * @param malformed whether the authorization is not a bearer token
   */
  private record Headers(
      @Nullable RootKeySecret rootKey, boolean malformed, boolean json, boolean compressed) {}

  private static Headers headers(HttpExchange exchange) {
    String authorization = exchange.header(HttpHeaders.AUTHORIZATION);
    String key = authorization != null && authorization.startsWith(BEARER)
        ? authorization.substring(BEARER.length())
        : "";
    return new Headers(
        key.isBlank() ? null : new RootKeySecret(key),
        authorization != null && key.isBlank(),
        isJson(exchange),
        isCompressed(exchange));
  }

  /** The caller's side of a request; does not check whether the root key exists. */
  static ServiceRequest request(HttpExchange exchange) {
    Headers headers = exchange.fromHeaders(HEADERS);
    if (headers.malformed()) {
      throw new ProblemException(Problem.malformedAuthorization());
    }
    return new ServiceRequest(
        exchange.requestId(), exchange.path(), headers.rootKey(), exchange::resume);
  }

  /** Reads a body that is one object. */
  static BodyObject object(HttpExchange exchange, byte[] body, BodySchema schema) {
    BodyObject plain = PlainBody.read(schema, body);
    Headers headers = exchange.fromHeaders(HEADERS);
    if (plain != null && headers.json() && !headers.compressed()) {
      return plain;
    }
    checkReadable(headers, body);
    return valid(exchange, BodyReader.object(schema, body)).get(0);
  }

  /** Reads a body that is an array of 1 to {@code maxObjects} objects. */
  static List<BodyObject> array(
      HttpExchange exchange, byte[] body, BodySchema schema, int maxObjects) {
    checkReadable(exchange.fromHeaders(HEADERS), body);
    return valid(exchange, BodyReader.array(schema, body, maxObjects));
  }

  private static List<BodyObject> valid(HttpExchange exchange, BodyReader.Result result) {
    if (!result.errors().isEmpty()) {
      throw new ProblemException(Problem.invalidBody(exchange.path(), result.errors()));
    }
    return result.objects();
  }

  private static void checkReadable(Headers headers, byte[] body) {
    if (headers.compressed()) {
      throw new ProblemException(Problem.unreadableBody("The body must not be compressed."));
    }
    if (!headers.json()) {
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
