package io.tidegate.server.command;

import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.Workspace;
import io.tidegate.server.config.CatalogConfig;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Opens the catalog for one command, and closes it after it. */
final class CatalogSession {

  /** What a command does with the catalog. */
  interface Work {
    void with(Catalog catalog) throws SQLException;
  }

  private final Map<String, String> environment;

  CatalogSession(Map<String, String> environment) {
    this.environment = environment;
  }

  /** With a catalog that is there: a wrong directory would look like an empty one otherwise. */
  void use(CommandSpec command, Work work) throws SQLException {
    CommandLine line = subcommand(command);
    CatalogConfig config = config(line);
    if (config.jdbcUrl() == null && !Catalog.isIn(config.data())) {
      throw new Failure("there is no catalog in "
          + config.data().toAbsolutePath()
          + "; 'tidegate serve' makes one, and --data or --jdbc-url names another");
    }
    use(line, config, work);
  }

  /** With a catalog that is made if there is none. */
  void useOrMake(CommandSpec command, Work work) throws SQLException {
    CommandLine line = subcommand(command);
    use(line, config(line), work);
  }

  private CatalogConfig config(CommandLine line) {
    return CatalogConfig.read(line.getParseResult(), environment);
  }

  private static void use(CommandLine line, CatalogConfig config, Work work) throws SQLException {
    try (Catalog catalog =
        Catalog.open(config.url(), config.user(), config.password(), config.migrate())) {
      work.with(catalog);
    } catch (IllegalArgumentException e) { // a value that the catalog refuses
      throw new ParameterException(line, e.getMessage(), e);
    }
  }

  /** What was called, of which the command is the parent. */
  private static CommandLine subcommand(CommandSpec command) {
    return command.commandLine().getParseResult().subcommand().commandSpec().commandLine();
  }

  /** The workspace of an id; without one, the only workspace. */
  static Workspace workspace(Catalog catalog, @Nullable String id) throws SQLException {
    List<Workspace> all = catalog.changesSince(0).workspaces();
    if (id != null) {
      return all.stream()
          .filter(workspace -> workspace.id().equals(id))
          .findFirst()
          .orElseThrow(() -> new Failure("no workspace has the id " + id));
    }
    if (all.isEmpty()) {
      throw new Failure("there is no workspace yet; 'tidegate workspaces create NAME' makes one");
    }
    if (all.size() > 1) {
      throw new Failure("there are " + all.size() + " workspaces, --workspace says which: "
          + all.stream()
              .limit(10) // a line
              .map(workspace -> workspace.id() + " (" + workspace.name() + ")")
              .collect(Collectors.joining(", "))
          + (all.size() > 10 ? ", ..." : ""));
    }
    return all.get(0);
  }
}
