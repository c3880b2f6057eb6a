package io.tidegate.rules.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFunctionTest {

  private static final TestRequest BARE = TestRequest.get("/");

  @Test
  void headerIsItsFirstValue() {
    KeyFunction key = KeyFunction.header("X-Api-Key");
    assertThat(key.keyOf(TestRequest.get("/").withHeader("x-api-key", "a", "b")))
        .isEqualTo("a");
    assertThat(key.keyOf(BARE)).isNull();
  }

  @Test
  void cookieIsItsValue() {
    KeyFunction key = KeyFunction.cookie("session");
    assertThat(key.keyOf(TestRequest.get("/").withCookie("session", "s1"))).isEqualTo("s1");
    assertThat(key.keyOf(BARE)).isNull();
  }

  @Test
  void principalIsTheNameOfTheUser() {
    assertThat(KeyFunction.principal().keyOf(TestRequest.get("/").by("ann"))).isEqualTo("ann");
    assertThat(KeyFunction.principal().keyOf(BARE)).isNull();
  }

  @Test
  void clientAddressIgnoresHeaders() {
    TestRequest forged = TestRequest.get("/").withHeader("X-Forwarded-For", "198.51.100.1");
    assertThat(KeyFunction.clientAddress().keyOf(forged)).isEqualTo("203.0.113.7");
  }

  @Test
  void clientAddressOfIpv6IsItsNetwork() {
    TestRequest request = TestRequest.get("/").from("2001:db8:1:2:3:4:5:6");
    assertThat(KeyFunction.clientAddress().keyOf(request)).isEqualTo("2001:db8:1:2::/64");
  }

  @Test
  void clientAddressBehindProxiesIsTheEntryThatTheOutermostTrustedOneAdded() {
    TestRequest request = TestRequest.get("/")
        .withHeader("X-Forwarded-For", "forged, 198.51.100.1", "10.0.0.2")
        .withHeader("X-Real-Ip", "192.0.2.1");
    assertThat(KeyFunction.clientAddress(1).keyOf(request)).isEqualTo("10.0.0.2");
    assertThat(KeyFunction.clientAddress(2).keyOf(request)).isEqualTo("198.51.100.1");
  }

  /** Not X-Real-Ip, which a proxy that writes X-Forwarded-For passes on from the client. */
  @Test
  void withoutForwardedForTheClientIsTheConnection() {
    TestRequest request = TestRequest.get("/").withHeader("X-Real-Ip", "192.0.2.1");
    assertThat(KeyFunction.clientAddress(1).keyOf(request)).isEqualTo("203.0.113.7");
  }

  @Test
  void withoutAnAddressTheKeyIsBlank() {
    assertThat(KeyFunction.clientAddress().keyOf(TestRequest.get("/").from(null)))
        .isBlank();
    assertThat(KeyFunction.clientAddress(1).keyOf(TestRequest.get("/").from(null)))
        .isBlank();
  }

  @Test
  void constantIsTheSameForAll() {
    assertThat(KeyFunction.constant("all").keyOf(BARE)).isEqualTo("all");
  }

  @Test
  void orElseIsAskedOnlyWithoutAKey() {
    KeyFunction key = KeyFunction.header("X-Api-Key").orElse(KeyFunction.constant("other"));
    assertThat(key.keyOf(TestRequest.get("/").withHeader("X-Api-Key", "a"))).isEqualTo("a");
    assertThat(key.keyOf(TestRequest.get("/").withHeader("X-Api-Key", " "))).isEqualTo("other");
    assertThat(key.keyOf(BARE)).isEqualTo("other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "X Key", "Key:", "Schlüssel"})
  void nameThatNoHeaderCanHaveIsRejected(String name) {
    assertThatThrownBy(() -> KeyFunction.header(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name of a header is not valid in HTTP: \"" + name + "\"");
    assertThatThrownBy(() -> KeyFunction.cookie(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name of a cookie is not valid in HTTP: \"" + name + "\"");
  }

  @Test
  void constantThatIsNoKeyIsRejected() {
    assertThatThrownBy(() -> KeyFunction.constant(" ")).hasMessageContaining("blank: \" \"");
  }

  @Test
  void negativeNumberOfProxiesIsRejected() {
    assertThatThrownBy(() -> KeyFunction.clientAddress(-1)).hasMessageContaining("negative: -1");
  }

  @Test
  void unwrapNamesBothTypes() {
    assertThat(BARE.unwrap(TestRequest.class)).isSameAs(BARE);
    assertThatThrownBy(() -> BARE.unwrap(String.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the request is a io.tidegate.rules.web.TestRequest, which is not a"
            + " java.lang.String");
  }
}
