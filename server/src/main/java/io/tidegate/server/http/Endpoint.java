package io.tidegate.server.http;

import io.tidegate.server.observe.RouteMeters;
import io.vertx.core.http.HttpMethod;

/**
 * What answers the requests to one path.
 *
 * @param path exactly this one
 * @param method the only one it is for
 * @param handler answers, now or later
 * @param meters counts its answers
 */
public record Endpoint(String path, HttpMethod method, Handler handler, RouteMeters meters) {

  /** Answers a request whose body is there. */
  public interface Handler {

    /**
     * Answers, now or later, on the call's event loop. What it throws becomes an answer too.
     *
     * @param call the request
     * @param body all of it
     */
    void handle(Call call, byte[] body);
  }
}
