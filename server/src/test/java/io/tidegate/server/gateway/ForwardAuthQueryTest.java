package io.tidegate.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.rules.DecisionHeaders;
import io.tidegate.server.http.ProblemException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ForwardAuthQueryTest {

  private static final long SEED = 16;
  private static final int QUERIES = 20_000;

  private static final List<String> PARTS = List.of(
      "domain=edge",
      "descriptor=a:client",
      "descriptor=a:header(x),b:value(y)",
      "hops=",
      "denied=403",
      "headers=off",
      "secret=",
      "&",
      "=",
      ",",
      ":",
      "(",
      ")",
      "%",
      "%00",
      "%C3",
      "%zz",
      "+",
      ";",
      "\n",
      "\u00e9",
      "99999999999999999999");

  @Test
  void defaultsAreForATraefikOrCaddyInFrontOfClients() {
    assertThat(ForwardAuthQuery.parse("domain=edge&descriptor=a:client"))
        .extracting(
            ForwardAuthQuery::domain,
            ForwardAuthQuery::hops,
            ForwardAuthQuery::deniedStatus,
            ForwardAuthQuery::headers,
            ForwardAuthQuery::secret)
        .containsExactly("edge", 1, 429, DecisionHeaders.DRAFT_11, null);
  }

  @Test
  void semicolonsAndEncodedSeparatorsArePartOfValues() {
    ForwardAuthQuery query =
        ForwardAuthQuery.parse("domain=a;b%26c%3Dd&descriptor=x:value(1;2)&secret=s;t");
    assertThat(query.domain()).isEqualTo("a;b&c=d");
    assertThat(query.secret()).isEqualTo("s;t");
    assertThat(query.descriptors()).hasSize(1);
  }

  /** Any other exception would be answered with 500. */
  @Test
  void randomQueriesAreParsedOrRejected() {
    Random random = new Random(SEED);
    int valid = 0;
    for (int i = 0; i < QUERIES; i++) {
      StringBuilder query = new StringBuilder("domain=edge&descriptor=a:client&");
      query.setLength(random.nextInt(4) == 0 ? random.nextInt(query.length()) : query.length());
      for (int part = random.nextInt(6); part > 0; part--) {
        query.append(PARTS.get(random.nextInt(PARTS.size())));
      }
      try {
        ForwardAuthQuery.parse(query.toString());
        valid++;
      } catch (ProblemException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
    assertThat(valid).isBetween(QUERIES / 100, QUERIES);
  }
}
