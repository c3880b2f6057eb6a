package io.tidegate.server.command;

import io.tidegate.catalog.Workspace;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes workspaces and changes them. */
@Command(
    name = "workspaces",
    description = "Workspaces, each of which has its own keys, namespaces and counts.",
    synopsisSubcommandLabel = "COMMAND")
final class WorkspacesCommand implements Runnable {

  private static final String UNLIMITED = "unlimited";

  private final CatalogSession session;

  @Spec
  private CommandSpec command;

  WorkspacesCommand(CatalogSession session) {
    this.session = session;
  }

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(), "a command is missing: create, list or update");
  }

  @Command(name = "create", description = "Makes a workspace and prints its id.")
  void create(
      @Parameters(paramLabel = "NAME", description = "What people call it.") String name,
      @Option(
              names = "--requests-per-minute",
              paramLabel = "N",
              defaultValue = UNLIMITED,
              description = {
                "How many requests of all its keys are answered, a number or 'unlimited'.",
                "Default: unlimited."
              })
          String requestsPerMinute)
      throws SQLException {
    session.useOrMake(command, catalog -> {
      Workspace made = catalog.createWorkspace(name, number(requestsPerMinute));
      command.commandLine().getOut().println(made.id());
    });
  }

  @Command(name = "list", description = "Lists the workspaces.")
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

  @Command(name = "update", description = "Changes a workspace.")
  void update(
      @Parameters(paramLabel = "ID", description = "Id of the workspace.") String id,
      @Option(
              names = "--requests-per-minute",
              paramLabel = "N",
              description =
                  "How many requests of all its keys are answered, a number or 'unlimited'.")
          @Nullable
          String requestsPerMinute,
      @Option(names = "--enable", description = "Let its keys in again.") boolean enable,
      @Option(names = "--disable", description = "Keep all its keys out.") boolean disable)
      throws SQLException {
    if (enable && disable) {
      throw refused("--enable and --disable cannot be together");
    }
    if (!enable && !disable && requestsPerMinute == null) {
      throw refused("nothing to change: --requests-per-minute, --enable or --disable is missing");
    }
    session.use(command, catalog -> {
      CatalogSession.workspace(catalog, id);
      if (requestsPerMinute != null) {
        catalog.setRequestsPerMinute(id, number(requestsPerMinute));
      }
      if (enable || disable) {
        catalog.setWorkspaceEnabled(id, enable);
      }
      command.commandLine().getOut().println("updated " + id);
    });
  }

  private ParameterException refused(String message) {
    return new ParameterException(command.subcommands().get("update"), message);
  }

  private static @Nullable Long number(String requestsPerMinute) {
    if (requestsPerMinute.equals(UNLIMITED)) {
      return null;
    }
    if (!requestsPerMinute.matches("\\d{1,18}")) {
      throw new IllegalArgumentException(
          "requests per minute must be a whole number, or unlimited: " + requestsPerMinute);
    }
    return Long.valueOf(requestsPerMinute);
  }
}
