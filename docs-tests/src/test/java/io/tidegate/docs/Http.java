package io.tidegate.docs;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** A client of a server on a local port. */
record Http(int port) {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Sends a request; headers are pairs of name and value. */
  HttpResponse<String> send(String method, String path, String... headers) {
    return sendAsync(method, path, headers).join();
  }

  /** Sends equal requests at once, and counts the answers by status. */
  Map<Integer, Integer> statuses(int requests, String method, String path, String... headers) {
    List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, requests)
        .mapToObj(i -> sendAsync(method, path, headers))
        .toList();
    Map<Integer, Integer> statuses = new TreeMap<>();
    answers.forEach(answer -> statuses.merge(answer.join().statusCode(), 1, Integer::sum));
    return statuses;
  }

  private CompletableFuture<HttpResponse<String>> sendAsync(
      String method, String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(
            URI.create("http://localhost:" + port + path))
        .method(method, BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.sendAsync(request.build(), BodyHandlers.ofString());
  }
}
