package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Strict checks of the envelope that every answer of the API has. */
final class AbuseEnvelope {

  private AbuseEnvelope() {}

  /** The {@code data} of a success; fails if the answer has another form. */
  static Object data(String answer) {
    Map<?, ?> envelope = envelope(answer);
    assertThat(envelope.keySet())
        .isIn(Set.of("meta", "data"), Set.of("meta", "data", "pagination"));
    return envelope.get("data");
  }

  /** The {@code error} of a problem; fails if the answer has another form. */
  static Map<?, ?> error(String answer) {
    Map<?, ?> envelope = envelope(answer);
    assertThat(envelope.keySet()).isEqualTo(Set.of("meta", "error"));
    Map<?, ?> error = (Map<?, ?>) envelope.get("error");
    Object status = error.get("status");
    assertThat(error.keySet())
        .isEqualTo(
            status.equals(400L)
                ? Set.of("title", "detail", "status", "type", "errors")
                : Set.of("title", "detail", "status", "type"));
    assertThat((String) error.get("title")).isNotBlank();
    assertThat((String) error.get("detail")).isNotBlank();
    assertThat((String) error.get("type"))
        .matches("https://unkey\\.com/docs/errors/[a-z_]+/[a-z_]+/[a-z_]+");
    if (status.equals(400L)) {
      ((List<?>) error.get("errors")).forEach(AbuseEnvelope::checkViolation);
    }
    return error;
  }

  private static void checkViolation(Object violation) {
    Map<?, ?> fields = (Map<?, ?>) violation;
    assertThat(fields.keySet())
        .isIn(Set.of("location", "message"), Set.of("location", "message", "fix"));
    fields.values().forEach(text -> assertThat((String) text).isNotBlank());
  }

  /** Fails unless the answer is a problem with this status, in the form that clients expect. */
  static Map<?, ?> assertProblem(AbuseSocket.Answer answer, int status) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.header("content-type")).isIn("application/json", "application/problem+json");
    Map<?, ?> error = error(answer.text());
    assertThat(error.get("status")).isEqualTo((long) status);
    return error;
  }

  private static Map<?, ?> envelope(String answer) {
    try {
      Map<?, ?> envelope = (Map<?, ?>) FuzzJson.parse(answer);
      Map<?, ?> meta = (Map<?, ?>) envelope.get("meta");
      assertThat(meta.keySet()).isEqualTo(Set.of("requestId"));
      assertThat((String) meta.get("requestId")).matches("req_[0-9A-Za-z]{9}");
      return envelope;
    } catch (FuzzJson.Malformed e) {
      throw new AssertionError("not JSON: " + answer, e);
    }
  }
}
