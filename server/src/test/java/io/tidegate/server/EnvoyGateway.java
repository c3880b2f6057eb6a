package io.tidegate.server;

import io.tidegate.testkit.EnvoyServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A real Envoy in front of an application, which asks nodes for decisions. */
final class EnvoyGateway implements AutoCloseable {

  /** Far longer than an answer takes. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Application application = Application.start();
  private final EnvoyServer envoy;

  private EnvoyGateway(EnvoyConfig config) {
    envoy = EnvoyServer.start(
        port -> config.withListener(port).withApplication(application.port()).text());
  }

  /** Skips the test if there is no Envoy. Called before anything is started. */
  static void requireEnvoy() {
    Programs.orSkip(EnvoyServer::program);
  }

  /** Starts an application, and Envoy with a configuration that is changed to use these nodes. */
  static EnvoyGateway start(EnvoyConfig config, int... nodes) {
    return new EnvoyGateway(config.withNodes(nodes));
  }

  /** Sends a GET request with these headers, given as names and values. */
  HttpResponse<String> get(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(envoy.uri(path)).timeout(TIMEOUT);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return Node.send(request.build());
  }

  /** Sends equal requests one after another and returns the status of each. */
  List<Integer> statuses(int count, String path, String... headers) {
    return IntStream.range(0, count)
        .mapToObj(i -> get(path, headers).statusCode())
        .toList();
  }

  /** A counter of the rate limit filter: ok, over_limit, error or failure_mode_allowed. */
  long decisions(String outcome) {
    return envoy.stat("cluster.application.ratelimit." + outcome);
  }

  EnvoyServer envoy() {
    return envoy;
  }

  Application application() {
    return application;
  }

  @Override
  public void close() {
    envoy.close();
    application.close();
  }
}
