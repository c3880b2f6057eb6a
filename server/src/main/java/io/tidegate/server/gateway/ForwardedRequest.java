package io.tidegate.server.gateway;

import io.tidegate.rules.web.ClientAddress;
import io.tidegate.server.http.HttpExchange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request that a proxy has received, as the headers of its call describe it.
 *
 * @param exchange the call of the proxy, which repeats the headers of the request
 * @param hops the number of trusted proxies between the client and this server
 */
record ForwardedRequest(HttpExchange exchange, int hops) {

  private static final String URI_HEADER = "X-Forwarded-Uri";

  /** The values of a header, joined with commas; null if the request does not have it. */
  @Nullable
  String header(String name) {
    List<String> values = exchange.headers(name);
    return values.isEmpty() ? null : String.join(",", values);
  }

  String clientAddress() {
    return ClientAddress.of(
        exchange.headers("X-Forwarded-For"), header("X-Real-Ip"), exchange.peerAddress(), hops);
  }

  /**
   * The path, without the query; null if the proxy does not send it. A client could evade a limit
   * on a path if its query were part of the value.
   */
  @Nullable
  String path() {
    String uri = exchange.header(URI_HEADER);
    if (uri == null) {
      return null;
    }
    int query = uri.indexOf('?');
    return query < 0 ? uri : uri.substring(0, query);
  }
}
