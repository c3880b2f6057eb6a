package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Sends random bodies to all routes. {@code -Dtidegate.fuzz} sets their number,
 * {@code -Dtidegate.fuzz.seed} the seed.
 */
class FuzzBodiesTest {

  private static final int BODIES = Integer.getInteger("tidegate.fuzz", 3_000);
  private static final long SEED = Long.getLong("tidegate.fuzz.seed", 20_260_801);

  private static final List<FuzzRoute> ROUTES = List.of(FuzzRoute.values());

  private static Node node;

  @BeforeAll
  static void start() {
    node = Node.start();
    node.post(
        FuzzRoute.LIMIT.path(),
        "{\"namespace\":\"fuzz\",\"identifier\":\"a\",\"limit\":1,\"duration\":1000}");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void acceptsValidBodiesAndRejectsInvalidOnes() throws IOException {
    System.out.println("seed " + SEED + ", " + BODIES + " bodies");
    FuzzBodies bodies = new FuzzBodies(SEED);
    Random random = new Random(SEED);
    Map<FuzzRoute, Integer> accepted = new EnumMap<>(FuzzRoute.class);
    Map<FuzzRoute, Integer> rejected = new EnumMap<>(FuzzRoute.class);
    try (AbuseSocket socket = AbuseSocket.connect(node)) { // one connection for all
      for (int i = 0; i < BODIES; i++) {
        FuzzRoute route = ROUTES.get(random.nextInt(ROUTES.size()));
        byte[] body = bodies.next(route);
        boolean valid = route.isValid(body);
        AbuseSocket.Answer answer =
            socket.send(AbuseSocket.post(node.key(), route.path(), body)).read();
        check(route, body, valid, answer);
        (valid ? accepted : rejected).merge(route, 1, Integer::sum);
      }
    }
    assertThat(accepted).as("valid bodies of each route").hasSize(ROUTES.size());
    assertThat(rejected).as("invalid bodies of each route").hasSize(ROUTES.size());
  }

  private static void check(
      FuzzRoute route, byte[] body, boolean valid, AbuseSocket.Answer answer) {
    try {
      if (!valid) {
        AbuseEnvelope.assertProblem(answer, 400);
      } else if (answer.status() == 404 && !route.name().endsWith("LIMIT")) {
        AbuseEnvelope.assertProblem(answer, 404); // the namespace, override or rule does not exist
      } else {
        assertThat(answer.status()).isEqualTo(200);
        assertThat(AbuseEnvelope.data(answer.text())).isNotNull();
      }
    } catch (AssertionError e) {
      String shown = new String(body, StandardCharsets.ISO_8859_1);
      throw new AssertionError(
          "seed " + SEED + ", " + route + ", " + body.length + " bytes: "
              + shown.substring(0, Math.min(shown.length(), 2_000)) + "\nwas answered: "
              + answer.status()
              + " " + answer.text(),
          e);
    }
  }
}
