package io.tidegate.server.config;

import org.jspecify.annotations.Nullable;

/**
 * Addresses that the node listens on.
 *
 * @param http the address of the API
 * @param basePath prefix of the path of every route; empty for none
 * @param admin the address of health, metrics and the console
 * @param adminToken what requests to the console must carry; null for none
 * @param console whether the admin port has a console
 * @param tls the certificate of the API and the gateway port; null without TLS
 * @param gateway the port for gateways; null if it is not opened
 */
public record ListenConfig(
    Address http,
    String basePath,
    Address admin,
    @Nullable String adminToken,
    boolean console,
    @Nullable TlsConfig tls,
    @Nullable GatewayConfig gateway) {

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
      return host.equals("0.0.0.0") || host.equals("::") || host.equals("0:0:0:0:0:0:0:0");
    }
  }

  static ListenConfig read(Settings settings) {
    ListenConfig config = new ListenConfig(
        Address.read(settings, Setting.HTTP_HOST, Setting.HTTP_PORT),
        basePath(settings),
        Address.read(settings, Setting.ADMIN_HOST, Setting.ADMIN_PORT),
        settings
            .value(Setting.ADMIN_TOKEN, token -> SecretSyntax.check(token, "must have "))
            .orElse(null),
        settings.isOn(Setting.CONSOLE),
        TlsConfig.read(settings),
        GatewayConfig.read(settings));
    checkPorts(settings, Setting.HTTP_PORT, config.http, Setting.ADMIN_PORT, config.admin);
    if (config.gateway != null) {
      Address gateway = config.gateway.address();
      checkPorts(settings, Setting.HTTP_PORT, config.http, Setting.GATEWAY_PORT, gateway);
      checkPorts(settings, Setting.ADMIN_PORT, config.admin, Setting.GATEWAY_PORT, gateway);
    }
    return config;
  }

  private static String basePath(Settings settings) {
    String path = settings.text(Setting.BASE_PATH).orElse("");
    if (!path.matches("(/[A-Za-z0-9._~-]+)*")) {
      settings.reject(Setting.BASE_PATH, "must be a path such as /limits or /api/limits");
    }
    return path;
  }

  private static void checkPorts(
      Settings settings, Setting one, Address first, Setting other, Address second) {
    boolean sameHost = first.host.equals(second.host) || first.isAnyHost() || second.isAnyHost();
    if (sameHost && first.port == second.port && first.port != 0) {
      settings.problem(
          one.key() + " and " + other.key() + " must differ on the same host: both are "
              + first.port
              + ", on "
              + SafeText.text(first.host)
              + " and "
              + SafeText.text(second.host));
    }
  }
}
