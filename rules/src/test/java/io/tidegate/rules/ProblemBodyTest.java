package io.tidegate.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemBodyTest {

  private static PolicyDecision allowed(String policy) {
    return new PolicyDecision(
        policy, 60_000, new Decision(true, 10, 5, 60_000, 0, 5, Source.LOCAL, false));
  }

  private static PolicyDecision denied(String policy, long retryAfterMillis) {
    return new PolicyDecision(
        policy,
        60_000,
        new Decision(false, 10, 0, 60_000, retryAfterMillis, 11, Source.LOCAL, false));
  }

  @Test
  void namesTheViolatedPolicies() {
    assertThat(ProblemBody.quotaExceeded(
            429, List.of(denied("login", 6_500), allowed("daily"), denied("burst", 200))))
        .isEqualTo("""
            {"type":"https://iana.org/assignments/http-problem-types#quota-exceeded",\
            "title":"Request cannot be satisfied as assigned quota has been exceeded",\
            "status":429,"detail":"The limit is used up; retry in 7 seconds.",\
            "violated-policies":["login","burst"]}""");
  }

  @Test
  void hasTheStatusOfTheResponse() {
    assertThat(ProblemBody.quotaExceeded(403, List.of(denied("login", 1))))
        .contains("\"status\":403,\"detail\":\"The limit is used up; retry in 1 second.\"");
  }

  @Test
  void saysThatNoWaitHelps() {
    assertThat(ProblemBody.quotaExceeded(429, List.of(denied("login", Decision.NEVER))))
        .contains("\"detail\":\"The limit does not allow this request; waiting does not help.\"");
  }

  @Test
  void escapesNames() {
    assertThat(ProblemBody.quotaExceeded(
            429, List.of(denied("a\"b\\c\n\0\u007f\u00e9\ud83d\ude00<", 1))))
        .endsWith("[\"a\\\"b\\\\c\\u000a\\u0000\\u007f\\u00e9\\ud83d\\ude00<\"]}");
  }
}
