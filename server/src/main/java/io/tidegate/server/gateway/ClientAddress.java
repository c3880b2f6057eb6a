package io.tidegate.server.gateway;

import io.netty.util.NetUtil;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address of the client behind one or more proxies.
 *
 * <p>Each proxy appends the address that it received a request from to {@code X-Forwarded-For}. A
 * client can send this header too, with any content, so only the entries that trusted proxies
 * appended count: as many from the end as there are trusted proxies. The first of these is the
 * client.
 */
final class ClientAddress {

  private static final int IPV6_BYTES = 16;

  /** The beginning of an IPv4 address that is written as one of IPv6: {@code ::ffff:192.0.2.1}. */
  private static final byte[] IPV4_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

  private ClientAddress() {}

  /**
   * Finds the address.
   *
   * @param forwardedFor the values of {@code X-Forwarded-For}, in order
   * @param realIp the value of {@code X-Real-Ip}, used if there is no {@code X-Forwarded-For}
   * @param peer the address of the other end of the connection
   * @param hops the number of trusted proxies; 0 if clients connect directly, whose headers are
   *     then ignored
   */
  static String of(List<String> forwardedFor, @Nullable String realIp, String peer, int hops) {
    if (hops == 0) {
      return peer;
    }
    List<String> addresses = addresses(forwardedFor);
    if (!addresses.isEmpty()) {
      return withoutPort(addresses.get(Math.max(0, addresses.size() - hops)));
    }
    return realIp == null || realIp.isBlank() ? peer : withoutPort(realIp.strip());
  }

  /**
   * The network of an address: the first 64 bits of IPv6, which is what a client usually has to
   * itself, and the address itself for IPv4 or if it is no address.
   */
  static String network(String address) {
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address); // null if it is none
    if (bytes == null || bytes.length != IPV6_BYTES) {
      return address;
    }
    if (Arrays.mismatch(bytes, IPV4_PREFIX) == IPV4_PREFIX.length) {
      return NetUtil.bytesToIpAddress(Arrays.copyOfRange(bytes, IPV4_PREFIX.length, IPV6_BYTES));
    }
    Arrays.fill(bytes, IPV6_BYTES / 2, IPV6_BYTES, (byte) 0);
    return NetUtil.bytesToIpAddress(bytes) + "/64";
  }

  private static List<String> addresses(List<String> forwardedFor) {
    List<String> addresses = new ArrayList<>();
    for (String value : forwardedFor) {
      for (String address : value.split(",", -1)) {
        if (!address.isBlank()) {
          addresses.add(address.strip());
        }
      }
    }
    return addresses;
  }

  /** Some proxies write {@code 192.0.2.1:4711} or {@code [2001:db8::1]:4711}. */
  private static String withoutPort(String address) {
    if (address.startsWith("[")) {
      int end = address.indexOf(']');
      return end < 0 ? address : address.substring(1, end);
    }
    int colon = address.indexOf(':');
    boolean one = colon >= 0 && address.indexOf(':', colon + 1) < 0; // IPv6 has at least two
    return one ? address.substring(0, colon) : address;
  }
}
