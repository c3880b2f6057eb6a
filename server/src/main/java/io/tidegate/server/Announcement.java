package io.tidegate.server;

import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.config.Version;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a node tells whoever has started it. The first key may be made before the node answers, or
 * long after, when a database appears: it is told once the node answers or has failed to, and never
 * lost.
 */
final class Announcement {

  private final PrintStream out;
  private final ServerConfig config;
  private @Nullable NewRootKey firstKey;
  private @Nullable String url;

  Announcement(PrintStream out, ServerConfig config) {
    this.out = out;
    this.config = config;
  }

  synchronized void firstKeyMade(NewRootKey key) {
    firstKey = key;
    tellFirstKey();
  }

  synchronized void answers(Server server, Duration sinceStart) {
    url = url(server.httpPort());
    out.printf(
        "Tidegate %s answers on %s, %d ms after its start%n",
        Version.TEXT, url, sinceStart.toMillis());
    out.printf("  counts      %s%n", counts());
    out.printf("  catalog     %s%n", config.catalog());
    out.printf(
        "  operators   http://%s:%d/metrics and /ready%n",
        reachable(config.adminHost()), server.adminPort());
    if (!server.isReady()) {
      out.println("  not ready   until the catalog can be read; the log says why");
    }
    out.flush();
    tellFirstKey();
  }

  /** The node does not listen: it has failed to start, or was stopped before. */
  synchronized void failed() {
    url = url(config.httpPort());
    tellFirstKey();
  }

  private void tellFirstKey() {
    if (firstKey == null || url == null) {
      return;
    }
    out.printf("""

        The catalog was empty. It has a workspace now, and a root key that may do everything, which is shown this once:

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
    return (config.tlsCertificate() == null ? "http://" : "https://") + reachable(config.httpHost())
        + ":" + port + config.basePath();
  }

  /** Who listens everywhere is here too. */
  private static String reachable(String host) {
    if (host.equals("0.0.0.0") || host.equals("::")) {
      return "localhost";
    }
    return host.contains(":") ? "[" + host + "]" : host;
  }

  private String counts() {
    if (config.redisUris().isEmpty() && config.catalog().jdbcUrl() == null) {
      return "in memory, of this node alone";
    }
    return "of region " + config.region()
        + (config.redisUris().isEmpty() ? ", without Redis" : ", shared through Redis")
        + (config.catalog().jdbcUrl() == null ? "" : ", with other regions through the database");
  }
}
