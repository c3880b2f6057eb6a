package io.tidegate.server;

import io.tidegate.jdbc.NewRootKey;
import io.tidegate.server.config.ServerConfig;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a node tells whoever has started it. */
final class Announcement {

  private Announcement() {}

  static void print(
      PrintStream out,
      ServerConfig config,
      Server server,
      Duration sinceStart,
      @Nullable NewRootKey firstKey) {
    String url = url(config, server);
    out.printf(
        "Tidegate %s answers on %s, %d ms after its start%n",
        Server.VERSION, url, sinceStart.toMillis());
    out.printf("  counts      %s%n", counts(config));
    out.printf("  catalog     %s%n", config.catalog());
    out.printf(
        "  operators   http://%s:%d/metrics and /ready%n",
        reachable(config.adminHost()), server.adminPort());
    if (!server.isReady()) {
      out.println("  not ready   until the catalog can be read; the log says why");
    }
    if (firstKey != null) {
      out.printf("""

          The catalog was empty. It has a workspace now, and a root key that may do everything, which is shown this once:

            %s

          Try it:

            curl %s/v2/ratelimit.limit \\
              -H 'Authorization: Bearer %s' \\
              -H 'Content-Type: application/json' \\
              -d '{"namespace":"demo","identifier":"user_42","limit":10,"duration":60000}'

          """, firstKey.secret(), url, firstKey.secret());
    }
    out.flush();
  }

  private static String url(ServerConfig config, Server server) {
    return (config.tlsCertificate() == null ? "http://" : "https://") + reachable(config.httpHost())
        + ":" + server.httpPort() + config.basePath();
  }

  /** Who listens everywhere is here too. */
  private static String reachable(String host) {
    return host.equals("0.0.0.0") || host.equals("::") ? "localhost" : host;
  }

  private static String counts(ServerConfig config) {
    if (config.redisUris().isEmpty() && config.catalog().jdbcUrl() == null) {
      return "in memory, of this node alone";
    }
    return "of region " + config.region()
        + (config.redisUris().isEmpty() ? ", without Redis" : ", shared through Redis")
        + (config.catalog().jdbcUrl() == null ? "" : ", with other regions through the database");
  }
}
