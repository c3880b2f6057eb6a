package io.tidegate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Uses the page as its script does. */
final class PageClient {

  private static final Pattern TOKEN = Pattern.compile("name=\"demo-token\" content=\"(\\w+)\"");

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI page;
  private final String token;

  PageClient(URI page) {
    this.page = page;
    Matcher found = TOKEN.matcher(get("").body());
    assertThat(found.find()).as("a token in the page").isTrue();
    this.token = found.group(1);
  }

  HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(page.resolve(path)).build());
  }

  Map<String, @Nullable Object> state() {
    return Json.parse(get("state").body());
  }

  /** Performs an action, which must succeed. */
  void act(String action, @Nullable String region) {
    HttpResponse<String> response =
        post(action, region, token, page.toString().replaceAll("/$", ""));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
  }

  HttpResponse<String> post(String action, @Nullable String region, String token, String origin) {
    return send(HttpRequest.newBuilder(page.resolve("action"))
        .header("Content-Type", "application/json")
        .header("X-Demo-Token", token)
        .header("Origin", origin)
        .POST(BodyPublishers.ofString(Json.write(Json.object("action", action, "region", region))))
        .build());
  }

  String token() {
    return token;
  }

  Map<String, @Nullable Object> region(String name) {
    return find("regions", name);
  }

  Map<String, @Nullable Object> user(String name) {
    return find("users", name);
  }

  /** The names of the nodes of a region that read, and are alive. */
  List<String> readers(String region) {
    return list(region(region), "nodes").stream()
        .filter(
            node -> "alive".equals(node.get("state")) && Boolean.TRUE.equals(node.get("reading")))
        .map(node -> String.valueOf(node.get("name")))
        .toList();
  }

  /** The states of the nodes of a region. */
  List<String> nodeStates(String region) {
    return list(region(region), "nodes").stream()
        .map(node -> String.valueOf(node.get("state")))
        .toList();
  }

  String storeStatus(String region, String store) {
    return String.valueOf(Json.member(region(region), store).get("status"));
  }

  long total(String name) {
    return number(Json.member(state(), "totals"), name);
  }

  static long number(Map<String, @Nullable Object> object, String name) {
    assertThat(object.get(name)).as(name).isInstanceOf(Long.class);
    return object.get(name) instanceof Long number ? number : -1;
  }

  private Map<String, @Nullable Object> find(String list, String name) {
    return list(state(), list).stream()
        .filter(item -> name.equals(item.get("name")))
        .findFirst()
        .orElseThrow(() -> new AssertionError("not in " + list + ": " + name));
  }

  @SuppressWarnings("unchecked") // keys of objects are texts
  private static List<Map<String, @Nullable Object>> list(
      Map<String, @Nullable Object> object, String name) {
    return object.get(name) instanceof List<?> list
        ? list.stream().map(item -> (Map<String, @Nullable Object>) item).toList()
        : List.of();
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
