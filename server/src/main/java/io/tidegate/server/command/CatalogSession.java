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
import picocli.CommandLine.ParseResult;

/** Opens the catalog for one command and closes it afterwards. */
final class CatalogSession {

  /** Workspaces that fit into an error message of a few lines. */
  private static final int MAX_LISTED = 10;

  /** Runs a command with the catalog. */
  interface Work {
    void run(Catalog catalog) throws SQLException;
  }

  private final Map<String, String> environment;

  CatalogSession(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Requires an existing catalog: creating one would hide a wrong directory. */
  void use(CommandSpec commandOrGroup, Work work) throws SQLException {
    CommandLine command = called(commandOrGroup);
    CatalogConfig config = config(command);
    if (config.jdbcUrl() == null && !Catalog.isIn(config.data())) {
      throw new Failure("no catalog in "
          + config.data().toAbsolutePath()
          + "; create it with 'tidegate serve', or name another with --data or --jdbc-url");
    }
    use(command, config, work);
  }

  /** Creates the catalog if it does not exist. */
  void useOrCreate(CommandSpec commandOrGroup, Work work) throws SQLException {
    CommandLine command = called(commandOrGroup);
    use(command, config(command), work);
  }

  private CatalogConfig config(CommandLine command) {
    return CatalogConfig.read(command.getParseResult(), environment);
  }

  private static void use(CommandLine command, CatalogConfig config, Work work)
      throws SQLException {
    try (Catalog catalog =
        Catalog.open(config.url(), config.user(), config.password(), config.migrate())) {
      work.run(catalog);
    } catch (IllegalArgumentException e) { // the command or the catalog has rejected a value
      throw new ParameterException(command, e.getMessage(), e);
    }
  }

  private static CommandLine called(CommandSpec commandOrGroup) {
    ParseResult arguments = commandOrGroup.commandLine().getParseResult();
    return arguments.hasSubcommand()
        ? arguments.subcommand().commandSpec().commandLine()
        : commandOrGroup.commandLine();
  }

  /** The workspace with this id; without an id, the only workspace. */
  static Workspace workspace(Catalog catalog, @Nullable String id) throws SQLException {
    List<Workspace> all = catalog.changesSince(0).workspaces();
    if (id != null) {
      return all.stream()
          .filter(workspace -> workspace.id().equals(id))
          .findFirst()
          .orElseThrow(() -> new Failure("no workspace has the id " + id));
    }
    if (all.isEmpty()) {
      throw new Failure("no workspace exists; create one with 'tidegate workspaces create NAME'");
    }
    if (all.size() > 1) {
      throw new Failure("there are " + all.size() + " workspaces; choose one with --workspace: "
          + all.stream()
              .limit(MAX_LISTED)
              .map(workspace -> workspace.id() + " (" + workspace.name() + ")")
              .collect(Collectors.joining(", "))
          + (all.size() > MAX_LISTED ? ", ..." : ""));
    }
    return all.get(0);
  }
}
