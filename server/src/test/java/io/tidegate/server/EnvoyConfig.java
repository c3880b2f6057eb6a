package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A configuration of Envoy: that of {@code docs/gateways.md}, and what a test changes in it.
 *
 * @param text the YAML text, with the ports of the page unless they are replaced
 */
record EnvoyConfig(String text) {

  private static final String LISTENER = "{address: 0.0.0.0, port_value: 10000}";
  private static final String APPLICATION = "{address: 127.0.0.1, port_value: 8000}";
  private static final String NODE =
      "              - endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: 8082}}}\n";

  /** The timeouts of the page. */
  private static final String TIMEOUT = "timeout: 0.05s\n";

  private static final String HEALTH_TIMEOUT = "timeout: 0.5s\n";

  /** The actions of the last route. */
  private static final String ACTIONS = """
                                      - actions:
                                          - request_headers: {header_name: x-api-key, descriptor_key: api_key}
      """;

  /** The configuration as the page has it. */
  static EnvoyConfig page() {
    return new EnvoyConfig(GatewaysPage.block("envoy.yaml"));
  }

  /**
   * The configuration with timeouts that no busy machine exceeds. A request that Envoy gives up is
   * allowed, which would fail tests of limits.
   */
  static EnvoyConfig patient() {
    return page().replace(TIMEOUT, "timeout: 30s\n").replace(HEALTH_TIMEOUT, "timeout: 30s\n");
  }

  /** Replaces a text that must occur once. */
  EnvoyConfig replace(String old, String fresh) {
    assertThat(text).containsOnlyOnce(old);
    return new EnvoyConfig(text.replace(old, fresh));
  }

  /** Without a timeout in the configuration: 20 ms. */
  EnvoyConfig withDefaultTimeout() {
    return replace(TIMEOUT, "\n");
  }

  /** Adds a line to the settings of the rate limit filter. */
  EnvoyConfig withFilterSetting(String line) {
    String anchor = "                      domain: edge\n";
    return replace(anchor, anchor + "                      " + line + "\n");
  }

  /**
   * Replaces the descriptors of the last route. The value of each entry is that of the request
   * header with the name of its key; a descriptor is sent if the request has all its headers.
   */
  EnvoyConfig withDescriptors(List<List<String>> descriptors) {
    String all = descriptors.stream().map(EnvoyConfig::rateLimit).collect(Collectors.joining());
    return replace(ACTIONS, all);
  }

  private static String rateLimit(List<String> keys) {
    String actions = keys.stream()
        .map(key -> "{request_headers: {header_name: %s, descriptor_key: %s}}".formatted(key, key))
        .collect(Collectors.joining(", "));
    return "                                - actions: [" + actions + "]\n";
  }

  /** Replaces the port of Tidegate with those of nodes. */
  EnvoyConfig withNodes(int... ports) {
    return replace(
        NODE,
        IntStream.of(ports)
            .mapToObj(port -> NODE.replace("8082", Integer.toString(port)))
            .collect(Collectors.joining()));
  }

  EnvoyConfig withApplication(int port) {
    return replace(APPLICATION, APPLICATION.replace("8000", Integer.toString(port)));
  }

  EnvoyConfig withListener(int port) {
    return replace(LISTENER, "{address: 127.0.0.1, port_value: %d}".formatted(port));
  }
}
