package io.tidegate.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.console.ConsoleAccess.Rejection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleAccessTest {

  private static final String TOKEN = "a-token-that-cannot-be-guessed";

  private final ConsoleAccess open = new ConsoleAccess("127.0.0.1", null);
  private final ConsoleAccess guarded = new ConsoleAccess("0.0.0.0", TOKEN);

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost:8081", "localhost", "127.0.0.1:8081", "[::1]:8081", "LOCALHOST:8081"})
  void loopbackAddressNeedsNoToken(String host) {
    assertThat(open.check(host, null, null, null)).isNull();
  }

  /** Another site can give its own name the address 127.0.0.1. */
  @ParameterizedTest
  @ValueSource(
      strings = {"evil.example:8081", "localhost.evil.example", "127.0.0.1.evil.example", ""})
  void otherNamesOfTheMachineAreRejectedWithoutAToken(String host) {
    assertStatus(open.check(host, null, null, null), 403);
    assertStatus(open.check(null, null, null, null), 403);
  }

  @Test
  void pagesOfOtherSitesAreRejected() {
    assertStatus(open.check("localhost:8081", "https://evil.example", null, null), 403);
    assertStatus(open.check("localhost:8081", "http://localhost:3000", null, null), 403);
    assertStatus(open.check("localhost:8081", "null", null, null), 403);
    assertStatus(open.check("localhost:8081", null, "cross-site", null), 403);
    assertStatus(open.check("localhost:8081", null, "same-site", null), 403);
    assertStatus(guarded.check("tidegate:8081", "https://evil.example", null, bearer(TOKEN)), 403);
  }

  @Test
  void ownPageIsAllowed() {
    assertThat(open.check("localhost:8081", "http://localhost:8081", "same-origin", null))
        .isNull();
    assertThat(guarded.check("ops:8081", "https://ops:8081", "same-origin", bearer(TOKEN)))
        .isNull();
  }

  @Test
  void tokenIsRequiredIfOneIsConfigured() {
    assertStatus(guarded.check("ops:8081", null, null, null), 401);
    assertStatus(guarded.check("ops:8081", null, null, bearer("wrong")), 401);
    assertStatus(guarded.check("ops:8081", null, null, bearer("")), 401);
    assertStatus(guarded.check("ops:8081", null, null, "Basic " + TOKEN), 401);
    assertThat(guarded.check("ops:8081", null, null, bearer(TOKEN))).isNull();
    assertStatus(
        new ConsoleAccess("127.0.0.1", TOKEN).check("localhost:8081", null, null, null), 401);
  }

  @Test
  void portThatOthersCanReachIsClosedWithoutAToken() {
    ConsoleAccess closed = new ConsoleAccess("0.0.0.0", null);
    assertThat(closed.isOpen()).isFalse();
    Rejection rejection = closed.check("localhost:8081", null, null, null);
    assertStatus(rejection, 403);
    assertThat(rejection.message()).contains("0.0.0.0").contains("admin-token");
  }

  private static String bearer(String token) {
    return "Bearer " + token;
  }

  private static void assertStatus(@Nullable Rejection rejection, int status) {
    assertThat(rejection).isNotNull();
    assertThat(rejection.status()).isEqualTo(status);
  }
}
