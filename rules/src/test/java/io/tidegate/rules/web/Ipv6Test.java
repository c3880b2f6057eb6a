package io.tidegate.rules.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Ipv6Test {

  private static byte[] bytes(int[] groups) {
    byte[] bytes = new byte[16];
    for (int i = 0; i < 8; i++) {
      bytes[2 * i] = (byte) (groups[i] >> 8);
      bytes[2 * i + 1] = (byte) groups[i];
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "::",
        "::1",
        "1::",
        "1:2:3:4:5:6:7:8",
        "2001:DB8::ff:0",
        "1:2:3:4:5:6:7::",
        "::2:3:4:5:6:7:8",
        "1::3:4:5:6:7:8",
        "0:0:0:0:0:0:0:1",
        "64:ff9b::192.0.2.33",
        "1:2:3:4:5:6:192.0.2.33",
        "fe80::1"
      })
  void readsWhatTheJdkReads(String address) throws UnknownHostException {
    assertThat(bytes(Ipv6.parse(address)))
        .isEqualTo(InetAddress.getByName(address).getAddress());
  }

  @Test
  void readsRandomAddressesAsTheJdkWritesThem() throws UnknownHostException {
    Random random = new Random(17);
    byte[] address = new byte[16];
    for (int i = 0; i < 1_000; i++) {
      random.nextBytes(address);
      address[0] = 32; // the JDK turns ::ffff:0:0/96 into IPv4
      String text = InetAddress.getByAddress(address).getHostAddress();
      assertThat(bytes(Ipv6.parse(text))).isEqualTo(address);
    }
  }

  @Test
  void zoneIsIgnored() {
    assertThat(Ipv6.parse("fe80::1%eth0")).isEqualTo(Ipv6.parse("fe80::1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":::",
        "1",
        "192.0.2.1",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4::5:6:7:8",
        "1::2::3",
        ":1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:",
        "12345::",
        "g::",
        "+1::",
        "::-1",
        "\u0661::",
        "::192.0.2",
        "::192.0.2.256",
        "::192.0.2.1.1",
        "::1.2.3.4:5",
        "1.2.3.4::",
        "1:2:3:4:5:6:7:1.2.3.4",
        "example.org",
        "[::1]"
      })
  void otherTextsAreNoAddresses(String text) {
    assertThat(Ipv6.parse(text)).isNull();
  }
}
