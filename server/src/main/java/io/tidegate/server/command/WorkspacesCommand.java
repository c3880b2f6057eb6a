package io.tidegate.server.command;

import io.tidegate.catalog.Workspace;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates, lists and changes workspaces. */
@Command(
    name = "workspaces",
    description = "Manage workspaces, each with its own keys, namespaces and counts.",
    synopsisSubcommandLabel = "COMMAND")
final class WorkspacesCommand implements Runnable {

  private static final String UNLIMITED = "unlimited";

  private static final String REQUESTS =
      "Maximum requests per minute of all keys: a number or 'unlimited'.";

  private final CatalogSession session;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  WorkspacesCommand(CatalogSession session) {
    this.session = session;
  }

  @Override
  public void run() {
    throw Commands.missingCommand(command);
  }

  @Command(name = "create", description = "Create a workspace and print its id.")
  void create(
      @Parameters(paramLabel = "NAME", description = "Name of the workspace, for people.")
          String name,
      @Option(
              names = "--requests-per-minute",
              paramLabel = "N",
              defaultValue = UNLIMITED,
              description = {REQUESTS, "Default: unlimited."})
          String requestsPerMinute)
      throws SQLException {
    session.useOrCreate(command, catalog -> {
      Workspace created = catalog.createWorkspace(name, number(requestsPerMinute));
      command.commandLine().getOut().println(created.id());
    });
  }

  @Command(name = "list", description = "List workspaces.")
  void list(@Option(names = "--json", description = "Print JSON.") boolean json)
      throws SQLException {
    session.use(command, catalog -> {
      List<Workspace> workspaces = catalog.changesSince(0).workspaces().stream()
          .sorted(Comparator.comparing(Workspace::name).thenComparing(Workspace::id))
          .toList();
      listing().print(workspaces, json, command.commandLine().getOut());
    });
  }

  static Listing<Workspace> listing() {
    return new Listing<Workspace>()
        .column("id", Workspace::id)
        .column("name", Workspace::name)
        .column("state", workspace -> workspace.enabled() ? "enabled" : "disabled")
        .json("requestsPerMinute", Workspace::requestsPerMinute)
        .shown("requests per minute", WorkspacesCommand::requests);
  }

  private static String requests(Workspace workspace) {
    Long requests = workspace.requestsPerMinute();
    return requests == null ? UNLIMITED : requests.toString();
  }

  @Command(name = "update", description = "Change a workspace.")
  void update(
      @Parameters(paramLabel = "ID", description = "Id of the workspace.") String id,
      @Option(names = "--requests-per-minute", paramLabel = "N", description = REQUESTS) @Nullable
          String requestsPerMinute,
      @Option(names = "--enable", description = "Accept requests of its keys.") boolean enable,
      @Option(names = "--disable", description = "Reject requests of its keys.") boolean disable)
      throws SQLException {
    if (enable && disable) {
      throw usageError("--enable and --disable are mutually exclusive");
    }
    if (!enable && !disable && requestsPerMinute == null) {
      throw usageError("nothing to change: give --requests-per-minute, --enable or --disable");
    }
    session.use(command, catalog -> {
      CatalogSession.workspace(catalog, id);
      if (requestsPerMinute != null) {
        catalog.setRequestsPerMinute(id, number(requestsPerMinute));
      }
      if (enable) {
        catalog.enableWorkspace(id);
      }
      if (disable) {
        catalog.disableWorkspace(id);
      }
      command.commandLine().getOut().println("updated " + id);
    });
  }

  private ParameterException usageError(String message) {
    return new ParameterException(
        Objects.requireNonNull(command.subcommands().get("update")), message);
  }

  private static @Nullable Long number(String requestsPerMinute) {
    if (requestsPerMinute.equals(UNLIMITED)) {
      return null;
    }
    if (!requestsPerMinute.matches("\\d{1,18}")) {
      throw new IllegalArgumentException(
          "requests per minute must be a whole number or unlimited: " + requestsPerMinute);
    }
    return Long.valueOf(requestsPerMinute);
  }
}
