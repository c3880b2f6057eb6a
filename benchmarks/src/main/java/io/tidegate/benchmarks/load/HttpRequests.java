package io.tidegate.benchmarks.load;

import io.tidegate.benchmarks.load.HttpConnection.Refusals;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The requests to a server.
 *
 * @param text headers and body, with the key of {@link PreparedRequest} in it
 */
public record HttpRequests(InetSocketAddress server, String text) {

  private static final String USER_AGENT = "User-Agent: tidegate-benchmark/1.0";

  /**
   * Requests to Tidegate, with a limit that is out of reach.
   *
   * @param batch limits per request
   */
  public static HttpRequests limits(TidegateProcess.Address server, int batch) {
    String limit = "{\"namespace\":\"bench\",\"identifier\":\"" + PreparedRequest.KEY
        + "\",\"limit\":1000000000,\"duration\":60000}";
    String body = batch == 1 ? limit : "[" + (limit + ",").repeat(batch - 1) + limit + "]";
    return toTidegate(server, batch == 1 ? "limit" : "multiLimit", body);
  }

  /** Requests with a JSON body to an operation of Tidegate's API. */
  public static HttpRequests toTidegate(
      TidegateProcess.Address server, String operation, String body) {
    return post(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()),
        "127.0.0.1:" + server.port(),
        "/v2/ratelimit." + operation,
        List.of(
            "Authorization: Bearer " + server.secret(),
            "Content-Type: application/json",
            "Accept: application/json"),
        body);
  }

  /** Requests with a body. */
  public static HttpRequests post(
      InetSocketAddress server, String host, String target, List<String> headers, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    String start = start("POST", host, target, headers);
    return new HttpRequests(server, start + "Content-Length: " + length + "\r\n\r\n" + body);
  }

  /** Requests without a body. */
  public static HttpRequests get(
      InetSocketAddress server, String host, String target, List<String> headers) {
    return new HttpRequests(server, start("GET", host, target, headers) + "\r\n");
  }

  private static String start(String method, String host, String target, List<String> headers) {
    StringBuilder start = new StringBuilder();
    start.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    start.append("Host: ").append(host).append("\r\n");
    headers.forEach(header -> start.append(header).append("\r\n"));
    return start.append(USER_AGENT).append("\r\n").toString();
  }

  /** Opens connections that send these requests and cycle through a number of keys. */
  public LoadGenerator.Connector connector(int keys, Refusals refusals) {
    PreparedRequest request = PreparedRequest.cycling(text, keys);
    return () -> new HttpConnection(server, request, refusals);
  }
}
