package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.HttpConnection;
import java.io.IOException;

/**
 * The requests of a connection.
 *
 * @param batch limits per request
 */
record Requests(ServerProcess.Address server, int keys, int batch) {

  HttpConnection open() throws IOException {
    return new HttpConnection(server.port(), text(), keys);
  }

  private String text() {
    String limit = "{\"namespace\":\"bench\",\"identifier\":\"" + HttpConnection.KEY
        + "\",\"limit\":1000000000,\"duration\":60000}";
    String body = batch == 1 ? limit : "[" + (limit + ",").repeat(batch - 1) + limit + "]";
    return "POST /v2/ratelimit." + (batch == 1 ? "limit" : "multiLimit")
        + " HTTP/1.1\r\n"
        + "Host: 127.0.0.1:" + server.port() + "\r\n"
        + "Authorization: Bearer " + server.secret() + "\r\n"
        + "Content-Type: application/json\r\n"
        + "Accept: application/json\r\n"
        + "User-Agent: tidegate-benchmark/1.0\r\n"
        + "Content-Length: " + body.length() + "\r\n\r\n"
        + body;
  }
}
