package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300) // the program may have to be fetched
class EnvoyServerTest {

  @BeforeAll
  static void requireEnvoy() {
    try {
      EnvoyServer.program();
    } catch (PipBinary.UnavailableException e) {
      System.err.println("SKIPPED: " + e.getMessage());
      abort(e.getMessage());
    }
  }

  @Test
  void answersAndCountsRequests() throws IOException {
    try (EnvoyServer envoy = EnvoyServer.start(EnvoyServerTest::configuration)) {
      assertThat(get(envoy)).isEqualTo("hello");
      assertThat(envoy.stat("http.test.downstream_rq_2xx")).isEqualTo(1);
      assertThat(envoy.stat("http.test.downstream_rq_5xx")).isZero();
      assertThat(envoy.admin("/server_info")).contains("\"state\": \"LIVE\"");
    }
  }

  @Test
  void answersOnTheSamePortAfterARestart() throws IOException {
    try (EnvoyServer envoy = EnvoyServer.start(EnvoyServerTest::configuration)) {
      get(envoy);
      envoy.restart();
      assertThat(get(envoy)).isEqualTo("hello");
      assertThat(envoy.stat("http.test.downstream_rq_2xx")).isEqualTo(1);
    }
  }

  @Test
  void failsToStartWithItsOutput() {
    assertThatThrownBy(() -> EnvoyServer.start(port -> "no_such_field: 1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no_such_field");
  }

  private static String get(EnvoyServer envoy) throws IOException {
    try (var answer = envoy.uri("/").toURL().openStream()) {
      return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String configuration(int port) {
    return """
        static_resources:
          listeners:
            - address: {socket_address: {address: 127.0.0.1, port_value: %d}}
              filter_chains:
                - filters:
                    - name: envoy.filters.network.http_connection_manager
                      typed_config:
                        "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                        stat_prefix: test
                        route_config:
                          virtual_hosts:
                            - name: all
                              domains: ["*"]
                              routes:
                                - match: {prefix: /}
                                  direct_response: {status: 200, body: {inline_string: hello}}
                        http_filters:
                          - name: envoy.filters.http.router
                            typed_config:
                              "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
        """.formatted(port);
  }
}
