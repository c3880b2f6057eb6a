package io.tidegate.server.command;

import io.tidegate.catalog.Namespace;
import io.tidegate.catalog.Workspace;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes namespaces, deletes them and brings them back. */
@Command(
    name = "namespaces",
    description = "Namespaces, the topics of limits within a workspace.",
    synopsisSubcommandLabel = "COMMAND")
final class NamespacesCommand implements Runnable {

  /** Who edits, in the audit log. */
  private static final String ACTOR = "operator";

  private final CatalogSession session;

  @Spec
  private CommandSpec command;

  NamespacesCommand(CatalogSession session) {
    this.session = session;
  }

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(), "a command is missing: list, create, delete or restore");
  }

  @Command(name = "list", description = "Lists the namespaces, deleted ones too.")
  void list(
      @Option(
              names = "--workspace",
              paramLabel = "ID",
              description = "Only the namespaces of this workspace.")
          @Nullable
          String workspaceId,
      @Option(names = "--json", description = "Print JSON.") boolean json)
      throws SQLException {
    session.use(command, catalog -> {
      if (workspaceId != null) {
        CatalogSession.workspace(catalog, workspaceId);
      }
      List<Namespace> namespaces = catalog.changesSince(0).namespaces().stream()
          .filter(namespace -> workspaceId == null || namespace.workspaceId().equals(workspaceId))
          .sorted(Comparator.comparing(Namespace::workspaceId).thenComparing(Namespace::name))
          .toList();
      listing().print(namespaces, json, command.commandLine().getOut());
    });
  }

  static Listing<Namespace> listing() {
    return new Listing<Namespace>()
        .column("id", Namespace::id)
        .column("workspace", Namespace::workspaceId)
        .column("state", namespace -> namespace.deleted() ? "deleted" : "active")
        .json("createdAt", namespace -> Instant.ofEpochMilli(namespace.createdAtMillis()))
        .column("name", Namespace::name);
  }

  @Command(
      name = "create",
      description = {
        "Makes a namespace and prints its id; if there is one of this name, prints the id of that.",
        "",
        "Clients whose key may create namespaces need not wait for it: their first request makes it."
      })
  void create(
      @Parameters(paramLabel = "NAME", description = "What clients call it.") String name,
      @Option(
              names = "--workspace",
              paramLabel = "ID",
              description = "Whose it is. Not needed if there is one workspace only.")
          @Nullable
          String workspaceId)
      throws SQLException {
    session.use(command, catalog -> {
      Workspace workspace = CatalogSession.workspace(catalog, workspaceId);
      Namespace namespace = catalog.createNamespace(workspace.id(), name, ACTOR);
      if (namespace.deleted()) {
        throw new Failure("the namespace " + name + " was deleted; 'tidegate namespaces restore "
            + namespace.id() + "' brings it back");
      }
      command.commandLine().getOut().println(namespace.id());
    });
  }

  @Command(
      name = "delete",
      description = "Deletes a namespace: requests for it are answered 410 until it is restored.")
  void delete(@Parameters(paramLabel = "ID", description = "Id of the namespace.") String id)
      throws SQLException {
    setDeleted(id, true);
  }

  @Command(name = "restore", description = "Brings a deleted namespace back, with its overrides.")
  void restore(@Parameters(paramLabel = "ID", description = "Id of the namespace.") String id)
      throws SQLException {
    setDeleted(id, false);
  }

  private void setDeleted(String id, boolean deleted) throws SQLException {
    session.use(command, catalog -> {
      if (catalog.setNamespaceDeleted(id, deleted, ACTOR).isEmpty()) {
        throw new Failure("no namespace has the id " + id);
      }
      command.commandLine().getOut().println((deleted ? "deleted " : "restored ") + id);
    });
  }
}
