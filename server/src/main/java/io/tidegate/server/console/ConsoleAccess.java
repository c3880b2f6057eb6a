package io.tidegate.server.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may see the data of the console and change something with it.
 *
 * <p>With a token: requests that carry it. Without one: requests to a loopback address that no page
 * of another site has caused. A browser sends the requests of any page to this machine, and another
 * site can point its own name to 127.0.0.1. So the Host header must name this machine, and a
 * request of a page must come from the same origin. A port that other machines can reach has no
 * console without a token.
 */
public final class ConsoleAccess {

  private static final Set<String> LOOPBACK_NAMES =
      Set.of("localhost", "127.0.0.1", "[::1]", "[0:0:0:0:0:0:0:1]");

  private static final String BEARER = "Bearer ";

  /** Why a request is rejected. */
  record Rejection(int status, String message) {}

  private final byte @Nullable [] token;
  private final boolean loopback;
  private final String host;

  /**
   * Creates the access to the console of a node.
   *
   * @param host the address that the admin port listens on
   * @param token what requests must carry; null for none
   */
  public ConsoleAccess(String host, @Nullable String token) {
    this.host = host.toLowerCase(Locale.ROOT);
    this.token = token == null ? null : token.getBytes(UTF_8);
    this.loopback = isLoopback(host);
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false; // the port cannot be opened either
    }
  }

  /** Whether the console has data for anyone: on a loopback address, or with a token. */
  public boolean isOpen() {
    return loopback || token != null;
  }

  /**
   * Checks the headers of a request; null stands for an absent one.
   *
   * @return null if the request is allowed
   */
  @Nullable
  Rejection check(
      @Nullable String hostHeader,
      @Nullable String origin,
      @Nullable String fetchSite,
      @Nullable String authorization) {
    if (!isOpen()) {
      return new Rejection(
          403,
          "the console is off, because admin-host " + host
              + " can be reached from other machines: set admin-token, or leave admin-host at 127.0.0.1");
    }
    if (isFromOtherSite(hostHeader, origin, fetchSite)) {
      return new Rejection(403, "requests of pages of other sites are not allowed");
    }
    if (token != null) {
      return hasToken(authorization)
          ? null
          : new Rejection(
              401,
              authorization == null
                  ? "the admin token is missing: send the header 'Authorization: Bearer ' and the value of admin-token"
                  : "the admin token is wrong");
    }
    return hostHeader != null && namesThisMachine(hostHeader)
        ? null
        : new Rejection(
            403,
            "the Host header must be localhost or the address of admin-host; to use another name, set admin-token");
  }

  private static boolean isFromOtherSite(
      @Nullable String hostHeader, @Nullable String origin, @Nullable String fetchSite) {
    boolean otherOrigin = origin != null
        && !origin.equals("http://" + hostHeader)
        && !origin.equals("https://" + hostHeader);
    boolean otherSite =
        fetchSite != null && !fetchSite.equals("same-origin") && !fetchSite.equals("none");
    return otherOrigin || otherSite;
  }

  private boolean namesThisMachine(String hostHeader) {
    String name = hostHeader.replaceFirst(":[0-9]{1,5}$", "").toLowerCase(Locale.ROOT);
    return LOOPBACK_NAMES.contains(name) || name.equals(host) || name.equals("[" + host + "]");
  }

  /** Takes the same time for all wrong tokens. */
  private boolean hasToken(@Nullable String authorization) {
    return authorization != null
        && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        && MessageDigest.isEqual(
            authorization.substring(BEARER.length()).strip().getBytes(UTF_8), token);
  }
}
