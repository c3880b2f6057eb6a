package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The routes that need no key: liveness and the API document. */
class LivenessTest {

  private static Node node;

  @BeforeAll
  static void start() {
    node = Node.start();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static HttpResponse<String> get(String path) {
    return Node.send(HttpRequest.newBuilder(node.uri(path)).build());
  }

  @Test
  void livenessNeedsNoKey() {
    Answer answer = Answer.of(get("/v2/liveness"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.contentType()).isEqualTo("application/json");
    assertThat(answer.text())
        .matches(
            "\\{\"meta\":\\{\"requestId\":\"req_[0-9A-Za-z]{9}\"},\"data\":\\{\"message\":\"OK\"}}");
  }

  @Test
  void livenessAcceptsGetOnly() {
    Answer answer = Answer.of(node.post("/v2/liveness", "{}"));
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.header("Allow")).isEqualTo("GET");
  }

  @Test
  void theDocumentNeedsNoKey() {
    HttpResponse<String> answer = get("/openapi.yaml");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/yaml");
    assertThat(answer.body()).startsWith("openapi: 3.1.0");
  }
}
