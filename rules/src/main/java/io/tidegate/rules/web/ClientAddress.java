package io.tidegate.rules.web;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address of the client behind one or more proxies.
 *
 * <p>Each proxy appends the address that it received a request from to {@code X-Forwarded-For}. A
 * client can send this header too, with any content, so only the entries that trusted proxies
 * appended count: as many from the end as there are trusted proxies. The first of these is the
 * client.
 *
 * <pre>{@code
 * ClientAddress.of(request.headers("X-Forwarded-For"), null, peer, 1)
 * }</pre>
 *
 * <p>All methods are pure functions; none looks up a name.
 */
public final class ClientAddress {

  private static final String FORWARDED_FOR = "X-Forwarded-For";

  /** The groups that the first 64 bits of an address have. */
  private static final int NETWORK_GROUPS = 4;

  /** The group before an IPv4 address that is written as one of IPv6: {@code ::ffff:192.0.2.1}. */
  private static final int IPV4_GROUP = 5;

  private ClientAddress() {}

  /**
   * Finds the address: {@code ClientAddress.of(forwardedFor, null, "10.0.0.1", 1)}.
   *
   * @param forwardedFor the values of {@code X-Forwarded-For}, in order
   * @param realIp the value of {@code X-Real-Ip}, used if there is no {@code X-Forwarded-For}
   * @param peer the address of the other end of the connection
   * @param hops the number of trusted proxies; 0 if clients connect directly, whose headers are
   *     then ignored
   * @return the address, without a port; whatever the proxy wrote, if that is no address
   */
  public static String of(
      List<String> forwardedFor, @Nullable String realIp, String peer, int hops) {
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
   * Returns the network of an address: the first 64 bits of IPv6, which is what a client usually
   * has to itself, and the address itself for IPv4 or if it is no address:
   * {@code ClientAddress.network("2001:db8::1")} is {@code 2001:db8::/64}.
   *
   * @param address the address
   * @return the network
   */
  public static String network(String address) {
    if (address.indexOf(':') < 0) {
      return address; // IPv4, without an allocation
    }
    int[] groups = Ipv6.parse(address);
    if (groups == null) {
      return address;
    }
    return isIpv4(groups) ? ipv4(groups) : network(groups);
  }

  /** The network of the client of a request; blank if the request has no address. */
  static String networkOf(WebRequest request, int trustedProxies) {
    String remote = request.remoteAddress();
    String peer = remote == null ? "" : remote;
    return network(
        trustedProxies == 0
            ? peer
            : of(request.headers(FORWARDED_FOR), null, peer, trustedProxies));
  }

  private static boolean isIpv4(int[] groups) {
    for (int i = 0; i < IPV4_GROUP; i++) {
      if (groups[i] != 0) {
        return false;
      }
    }
    return groups[IPV4_GROUP] == 0xffff;
  }

  private static String ipv4(int[] groups) {
    int high = groups[IPV4_GROUP + 1];
    int low = groups[IPV4_GROUP + 2];
    return (high >> 8) + "." + (high & 0xff) + "." + (low >> 8) + "." + (low & 0xff);
  }

  /** As RFC 5952 writes it: the zeros at the end are the longest, at least half of the address. */
  private static String network(int[] groups) {
    int last = NETWORK_GROUPS;
    while (last > 0 && groups[last - 1] == 0) {
      last--;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < last; i++) {
      text.append(i == 0 ? "" : ":").append(Integer.toHexString(groups[i]));
    }
    return text.append("::/64").toString();
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
