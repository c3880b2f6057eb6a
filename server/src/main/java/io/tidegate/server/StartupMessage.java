package io.tidegate.server;

import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.config.GatewayConfig;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.config.Version;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Prints the addresses of a node when it has started, and the first root key when it is created.
 *
 * <p>The key may be created before the node listens, or much later when a database becomes
 * available, and exists nowhere else in clear text. It is printed as soon as the node listens or
 * has failed to start, so it is never lost. Any thread may call.
 */
final class StartupMessage {

  private final PrintStream out;
  private final ServerConfig config;

  /** The key to print; null before it is created and after it is printed. */
  private @Nullable NewRootKey firstKey;

  /** The URL of the API; null until the node listens or has failed to start. */
  private @Nullable String url;

  StartupMessage(PrintStream out, ServerConfig config) {
    this.out = out;
    this.config = config;
  }

  synchronized void firstKeyCreated(NewRootKey key) {
    firstKey = key;
    printFirstKey();
  }

  synchronized void started(Server server, Duration sinceStart) {
    url = url(server.httpPort());
    out.printf(
        "Tidegate %s listening on %s (started in %d ms)%n",
        Version.TEXT, url, sinceStart.toMillis());
    out.printf("  counts      %s%n", counts());
    out.printf("  catalog     %s%n", config.catalog());
    if (config.rules() != null) {
      out.printf("  rules       %d in %s%n", server.rules().rules().size(), config.rules());
    }
    out.printf(
        "  admin       http://%s:%d/metrics and /ready%n",
        reachable(config.listen().admin().host()), server.adminPort());
    if (config.listen().console()) {
      out.printf(
          "  console     http://%s:%d/console/%n",
          reachable(config.listen().admin().host()), server.adminPort());
    }
    GatewayConfig gateway = config.listen().gateway();
    if (gateway != null) {
      out.printf(
          "  gateway     %s://%s:%d for Envoy (gRPC) and forward auth%n",
          scheme(), reachable(gateway.address().host()), server.gatewayPort());
    }
    if (!server.isReady()) {
      out.println("  not ready   the catalog has not been read yet; the log has the reason");
    }
    out.flush();
    printFirstKey();
  }

  /** The node does not listen: it failed to start, or was stopped before it had started. */
  synchronized void failed() {
    url = url(config.listen().http().port());
    printFirstKey();
  }

  private void printFirstKey() {
    if (firstKey == null || url == null) {
      return;
    }
    out.printf("""

        The catalog was empty. Created a workspace, and a root key with all permissions; it is shown only once:

          %s

        Try it:

          curl %s/v2/ratelimit.limit \\
            -H 'Authorization: Bearer %s' \\
            -H 'Content-Type: application/json' \\
            -d '{"namespace":"demo","identifier":"user_42","limit":10,"duration":60000}'

        """, firstKey.secret(), url, firstKey.secret());
    out.flush();
    firstKey = null;
  }

  private String url(int port) {
    return scheme() + "://"
        + reachable(config.listen().http().host())
        + ":" + port + config.listen().basePath();
  }

  private String scheme() {
    return config.listen().tls() == null ? "http" : "https";
  }

  /** A host to connect to: the wildcard addresses include this machine. */
  private static String reachable(String host) {
    if (host.equals("0.0.0.0") || host.equals("::") || host.equals("0:0:0:0:0:0:0:0")) {
      return "localhost";
    }
    return host.contains(":") ? "[" + host + "]" : host;
  }

  private String counts() {
    boolean origin = config.region().hasOrigin();
    if (!origin && !config.hasGlobalCounters()) {
      return "in memory of this node only";
    }
    return "region " + config.region().name()
        + (origin ? ", shared by its nodes" : ", not shared between nodes")
        + (config.hasGlobalCounters() ? ", exchanged with other regions" : "");
  }
}
