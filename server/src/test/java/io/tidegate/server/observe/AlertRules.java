package io.tidegate.server.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The alerting rules of {@code docs/alerts.yaml}. */
public final class AlertRules {

  public static final Path FILE = Path.of("..", "docs", "alerts.yaml");

  private AlertRules() {}

  /** The expression of each alert, by its name. */
  public static Map<String, String> read() throws IOException {
    Map<String, String> expressions = new LinkedHashMap<>();
    Map<?, ?> file =
        new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(FILE));
    for (Object group : (List<?>) file.get("groups")) {
      for (Object rule : (List<?>) ((Map<?, ?>) group).get("rules")) {
        Map<?, ?> fields = (Map<?, ?>) rule;
        expressions.put((String) fields.get("alert"), (String) fields.get("expr"));
      }
    }
    return expressions;
  }
}
