package io.tidegate.rules.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {

  private static final String PEER = "10.0.0.1";

  private static String of(int hops, String... forwardedFor) {
    return ClientAddress.of(List.of(forwardedFor), null, PEER, hops);
  }

  @Test
  void oneHopIsWhatTheCallingProxyAdded() {
    assertThat(of(1, "203.0.113.7")).isEqualTo("203.0.113.7");
    assertThat(of(1, "1.1.1.1, 203.0.113.7")).isEqualTo("203.0.113.7");
  }

  @Test
  void moreHopsCountFromTheEnd() {
    String header = "forged, 203.0.113.7, 192.0.2.1";
    assertThat(of(1, header)).isEqualTo("192.0.2.1");
    assertThat(of(2, header)).isEqualTo("203.0.113.7");
    assertThat(of(3, header)).isEqualTo("forged");
  }

  /** All entries were added by trusted proxies then, so the first one is the client. */
  @Test
  void shortListYieldsItsFirstEntry() {
    assertThat(of(5, "203.0.113.7, 192.0.2.1")).isEqualTo("203.0.113.7");
  }

  @Test
  void severalHeadersAreOneList() {
    assertThat(of(1, "forged", "203.0.113.7, 192.0.2.1")).isEqualTo("192.0.2.1");
    assertThat(of(2, "forged", "203.0.113.7, 192.0.2.1")).isEqualTo("203.0.113.7");
    assertThat(of(3, "forged", "203.0.113.7, 192.0.2.1")).isEqualTo("forged");
  }

  @Test
  void noHopIsThePeer() {
    assertThat(ClientAddress.of(List.of("203.0.113.7"), "203.0.113.8", PEER, 0)).isEqualTo(PEER);
  }

  @Test
  void withoutHeadersItIsThePeer() {
    assertThat(of(1)).isEqualTo(PEER);
    assertThat(of(1, "", " , ")).isEqualTo(PEER);
    assertThat(ClientAddress.of(List.of(), " ", PEER, 1)).isEqualTo(PEER);
  }

  @Test
  void realIpIsUsedOnlyWithoutForwardedFor() {
    assertThat(ClientAddress.of(List.of(), " 203.0.113.8 ", PEER, 1)).isEqualTo("203.0.113.8");
    assertThat(ClientAddress.of(List.of("203.0.113.7"), "203.0.113.8", PEER, 1))
        .isEqualTo("203.0.113.7");
  }

  @ParameterizedTest
  @CsvSource({
    "203.0.113.7, 203.0.113.7",
    "2001:db8:1:2:3:4:5:6, 2001:db8:1:2::/64",
    "2001:DB8:1:2::9, 2001:db8:1:2::/64",
    "2001:db8::1, 2001:db8::/64",
    "::1, ::/64",
    "::ffff:203.0.113.7, 203.0.113.7",
    "::ffff:cb00:7107, 203.0.113.7",
    "unknown, unknown",
    "example.org, example.org",
    "'', ''"
  })
  void networkOfIpv6Has64Bits(String address, String network) {
    assertThat(ClientAddress.network(address)).isEqualTo(network);
  }

  @ParameterizedTest
  @CsvSource({
    "203.0.113.7:4711, 203.0.113.7",
    "2001:db8::1, 2001:db8::1",
    "[2001:db8::1]:4711, 2001:db8::1",
    "[2001:db8::1], 2001:db8::1",
    "[2001:db8::1, [2001:db8::1",
    "::1, ::1",
    "unknown, unknown"
  })
  void portIsRemoved(String written, String address) {
    assertThat(of(1, written)).isEqualTo(address);
  }
}
