package io.tidegate.server.config;

import io.tidegate.rules.DecisionHeaders;
import io.tidegate.server.config.ListenConfig.Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The port for gateways. It trusts every client that may connect, so it is open to other machines
 * only with a secret, with client certificates, or if the operator says so.
 *
 * @param address the address to listen on, with a numeric host: the one that was checked
 * @param secret what every call must carry; null for none
 * @param clientCa PEM certificates of the authorities of client certificates; null if gateways need
 *     none
 * @param headers the rate limit fields that Envoy adds to responses; null for none
 * @param metadata whether answers contain dynamic metadata
 * @param shadowMode whether all requests are let through
 */
public record GatewayConfig(
    Address address,
    @Nullable String secret,
    @Nullable String clientCa,
    @Nullable DecisionHeaders headers,
    boolean metadata,
    boolean shadowMode) {

  static @Nullable GatewayConfig read(Settings settings) {
    for (Setting setting : Setting.of(Setting.Topic.GATEWAY)) {
      settings.require(setting, Setting.GATEWAY_PORT);
    }
    if (!settings.has(Setting.GATEWAY_PORT)) {
      return null;
    }
    settings.require(Setting.GATEWAY_CLIENT_CA, Setting.TLS_CERTIFICATE);
    return new GatewayConfig(
        new Address(
            host(settings), settings.number(Setting.GATEWAY_PORT, 0, 65_535).orElse(0)),
        settings
            .value(Setting.GATEWAY_SECRET, secret -> SecretSyntax.check(secret, "must have "))
            .orElse(null),
        settings.file(Setting.GATEWAY_CLIENT_CA, GatewayConfig::clientCa).orElse(null),
        settings
            .value(Setting.GATEWAY_HEADERS, GatewayConfig::headers)
            .orElseThrow()
            .orElse(null),
        settings.isOn(Setting.GATEWAY_METADATA),
        settings.isOn(Setting.SHADOW_MODE));
  }

  private static Optional<DecisionHeaders> headers(String text) {
    return switch (text) {
      case "off" -> Optional.empty();
      case "draft-11" -> Optional.of(DecisionHeaders.DRAFT_11);
      case "draft-06" -> Optional.of(DecisionHeaders.DRAFT_06);
      default -> throw new IllegalArgumentException("must be one of off, draft-11, draft-06");
    };
  }

  /** Resolves the host once, so that the address that is checked is the one that is opened. */
  private static String host(Settings settings) {
    InetAddress address =
        settings.value(Setting.GATEWAY_HOST, GatewayConfig::resolve).orElseThrow();
    boolean open = settings.isOn(Setting.GATEWAY_OPEN);
    boolean guarded =
        settings.has(Setting.GATEWAY_SECRET) || settings.has(Setting.GATEWAY_CLIENT_CA);
    if (!address.isLoopbackAddress() && !guarded && !open) {
      settings.reject(
          Setting.GATEWAY_HOST,
          "is reachable from other machines: set gateway-secret or gateway-client-ca, or gateway-open to accept every client");
    }
    if (open && guarded) {
      settings.reject(
          Setting.GATEWAY_OPEN, "cannot be combined with gateway-secret or gateway-client-ca");
    }
    return address.getHostAddress();
  }

  private static InetAddress resolve(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("must be an address or the name of one", e);
    }
  }

  private static String clientCa(Path file) {
    byte[] content = TlsCredentials.content(file);
    if (content == null) {
      throw new IllegalArgumentException("must be a readable file");
    }
    TlsFiles.anyCertificate(content);
    return new String(content, StandardCharsets.ISO_8859_1);
  }

  /** The configuration without the secret. */
  @Override
  public String toString() {
    return address + (secret == null ? "" : ", secret") + (clientCa == null ? "" : ", client CA");
  }
}
