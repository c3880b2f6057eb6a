package io.tidegate.server.http;

import io.vertx.core.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * The handler of one path.
 *
 * @param path the exact path
 * @param method the only method the path accepts; null if it accepts all
 * @param handler answers requests
 * @param meter records the answers
 */
public record Endpoint(
    String path, @Nullable HttpMethod method, Handler handler, AnswerMeter meter) {

  /** Answers requests whose body has been received. */
  public interface Handler {

    /**
     * Answers a request, at once or later, on the event loop of the exchange. An exception becomes
     * an answer too: the problem of a {@link ProblemException}, status 500 for any other.
     *
     * @param exchange the request and its answer
     * @param body the whole body
     */
    void handle(HttpExchange exchange, byte[] body);
  }
}
