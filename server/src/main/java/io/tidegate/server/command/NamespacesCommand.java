package io.tidegate.server.command;

import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.Namespace;
import io.tidegate.catalog.Workspace;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists, creates, deletes and restores namespaces. */
@Command(
    name = "namespaces",
    description = "Manage namespaces, which group the limits of a workspace.",
    synopsisSubcommandLabel = "COMMAND")
final class NamespacesCommand implements Runnable {

  /** Actor of edits in the audit log. */
  static final String ACTOR = "operator";

  private final CatalogSession session;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  NamespacesCommand(CatalogSession session) {
    this.session = session;
  }

  @Override
  public void run() {
    throw Commands.missingCommand(command);
  }

  @Command(name = "list", description = "List namespaces, including deleted ones.")
  void list(@Mixin ListOptions options) throws SQLException {
    session.use(command, catalog -> {
      options.check(catalog);
      List<Namespace> namespaces = catalog.changesSince(0).namespaces().stream()
          .filter(namespace -> options.includes(namespace.workspaceId()))
          .sorted(Comparator.comparing(Namespace::workspaceId).thenComparing(Namespace::name))
          .toList();
      listing().print(namespaces, options.json(), command.commandLine().getOut());
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
        "Create a namespace and print its id. If the name exists, print the existing id.",
        "",
        "Not needed for keys with the permission create_namespace: their first request creates it."
      })
  void create(
      @Parameters(paramLabel = "NAME", description = "Name that clients use.") String name,
      @Mixin WorkspaceOption workspaceOption)
      throws SQLException {
    session.use(command, catalog -> {
      Workspace workspace = workspaceOption.find(catalog);
      Namespace namespace = catalog.createNamespace(workspace.id(), name, ACTOR);
      if (namespace.deleted()) {
        throw deleted(name, namespace.id());
      }
      command.commandLine().getOut().println(namespace.id());
    });
  }

  /** The failure of a command on a deleted namespace. */
  static Failure deleted(String name, String id) {
    return new Failure("namespace " + name
        + " is deleted; restore it with 'tidegate namespaces restore " + id + "'");
  }

  @Command(
      name = "delete",
      description = "Delete a namespace. Its requests are answered with 410 until it is restored.")
  void delete(@Parameters(paramLabel = "ID", description = "Id of the namespace.") String id)
      throws SQLException {
    change(id, "deleted", catalog -> catalog.deleteNamespace(id, ACTOR));
  }

  @Command(name = "restore", description = "Restore a deleted namespace with its overrides.")
  void restore(@Parameters(paramLabel = "ID", description = "Id of the namespace.") String id)
      throws SQLException {
    change(id, "restored", catalog -> catalog.restoreNamespace(id, ACTOR));
  }

  /** Changes a namespace. The result is empty if the namespace is unknown. */
  private interface NamespaceChange {
    Optional<Namespace> apply(Catalog catalog) throws SQLException;
  }

  private void change(String id, String done, NamespaceChange change) throws SQLException {
    session.use(command, catalog -> {
      if (change.apply(catalog).isEmpty()) {
        throw new Failure("no namespace has the id " + id);
      }
      command.commandLine().getOut().println(done + " " + id);
    });
  }
}
