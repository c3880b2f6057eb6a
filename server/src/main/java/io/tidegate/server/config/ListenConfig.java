package io.tidegate.server.config;

import org.jspecify.annotations.Nullable;

/**
 * Addresses that the node listens on.
 *
 * @param http the address of the API
 * @param basePath prefix of the path of every route; empty for none
 * @param admin the address of health and metrics
 * @param tls the certificate of the API; null without TLS
 */
public record ListenConfig(
    Address http, String basePath, Address admin, @Nullable TlsConfig tls) {

  /**
   * A host and a port.
   *
   * @param port 0 for any free port
   */
  public record Address(String host, int port) {

    static Address read(Settings settings, Setting host, Setting port) {
      return new Address(
          settings.text(host).orElseThrow(), settings.number(port, 0, 65_535).orElseThrow());
    }

    boolean isAnyHost() {
      return host.equals("0.0.0.0") || host.equals("::");
    }
  }

  static ListenConfig read(Settings settings) {
    ListenConfig config = new ListenConfig(
        Address.read(settings, Setting.HTTP_HOST, Setting.HTTP_PORT),
        basePath(settings),
        Address.read(settings, Setting.ADMIN_HOST, Setting.ADMIN_PORT),
        TlsConfig.read(settings));
    checkPorts(settings, config.http, config.admin);
    return config;
  }

  private static String basePath(Settings settings) {
    String path = settings.text(Setting.BASE_PATH).orElse("");
    if (!path.matches("(/[A-Za-z0-9._~-]+)*")) {
      settings.reject(Setting.BASE_PATH, "must be a path such as /limits or /api/limits");
    }
    return path;
  }

  private static void checkPorts(Settings settings, Address http, Address admin) {
    boolean sameHost = http.host.equals(admin.host) || http.isAnyHost() || admin.isAnyHost();
    if (sameHost && http.port == admin.port && http.port != 0) {
      settings.problem("http-port and admin-port must differ on the same host: both are "
          + http.port
          + ", on "
          + SafeText.text(http.host)
          + " and "
          + SafeText.text(admin.host));
    }
  }
}
