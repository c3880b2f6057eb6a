package io.tidegate.server.command;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the admin port of a running node. */
final class AdminUrl {

  private static final String DEFAULT = "http://localhost:8081";

  @Option(
      names = "--admin-url",
      paramLabel = "URL",
      description = {
        "URL of the admin port of a node.",
        "Default: " + DEFAULT + ". Environment: TIDEGATE_ADMIN_URL"
      })
  private @Nullable String url;

  private final Map<String, String> environment;

  AdminUrl(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Returns the URL of a path, which begins with a slash. */
  URI resolve(String path) {
    String base = url != null ? url : environment.getOrDefault("TIDEGATE_ADMIN_URL", "");
    try {
      URI uri = new URI(base.isEmpty() ? DEFAULT : base);
      if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null
          && uri.getUserInfo() == null) {
        return URI.create(uri.toString().replaceFirst("/+$", "") + path);
      }
    } catch (URISyntaxException e) {
      // rejected below, as other text that is not a URL
    }
    throw new Failure("--admin-url must be a URL such as " + DEFAULT);
  }
}
