package io.tidegate.server.command;

import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.catalog.RootKey;
import io.tidegate.catalog.Workspace;
import io.tidegate.server.catalog.Permissions;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes root keys and takes them back. */
@Command(
    name = "keys",
    description = "Root keys, which let clients act for a workspace.",
    synopsisSubcommandLabel = "COMMAND")
final class KeysCommand implements Runnable {

  private final CatalogSession session;

  @Spec
  private CommandSpec command;

  KeysCommand(CatalogSession session) {
    this.session = session;
  }

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(), "a command is missing: create, list, revoke, disable or enable");
  }

  @Command(
      name = "create",
      description = {
        "Makes a key and prints it, this one time.",
        "",
        "The key alone is on the standard output: KEY=$(tidegate keys create --name ci)"
      })
  void create(
      @Option(
              names = "--workspace",
              paramLabel = "ID",
              description = "Whose it is. Not needed if there is one workspace only.")
          @Nullable
          String workspaceId,
      @Option(
              names = "--name",
              paramLabel = "NAME",
              required = true,
              description = "What people call it.")
          String name,
      @Option(
              names = "--permission",
              paramLabel = "PERMISSION",
              description = {
                "What it may do, such as ratelimit.*.limit; may be given several times.",
                "Default: everything."
              })
          @Nullable
          List<String> permissions)
      throws SQLException {
    Set<String> allowed = permissions == null ? Permissions.all() : new TreeSet<>(permissions);
    session.use(command, catalog -> {
      allowed.forEach(Permissions::check);
      Workspace workspace = CatalogSession.workspace(catalog, workspaceId);
      NewRootKey made = catalog.createKey(workspace.id(), name, allowed);
      command.commandLine().getOut().println(made.secret());
      command
          .commandLine()
          .getErr()
          .println("This is the only time that the key is shown. Its id is "
              + made.key().id()
              + ", its workspace "
              + workspace.id()
              + ".");
    });
  }

  @Command(name = "list", description = "Lists the keys, without what would let anybody in.")
  void list(
      @Option(
              names = "--workspace",
              paramLabel = "ID",
              description = "Only the keys of this workspace.")
          @Nullable
          String workspaceId,
      @Option(names = "--json", description = "Print JSON.") boolean json)
      throws SQLException {
    session.use(command, catalog -> {
      if (workspaceId != null) {
        CatalogSession.workspace(catalog, workspaceId);
      }
      List<RootKey> keys = catalog.changesSince(0).keys().stream()
          .filter(key -> workspaceId == null || key.workspaceId().equals(workspaceId))
          .sorted(
              Comparator.comparing(RootKey::workspaceId).thenComparing(RootKey::createdAtMillis))
          .toList();
      listing().print(keys, json, command.commandLine().getOut());
    });
  }

  static Listing<RootKey> listing() {
    return new Listing<RootKey>()
        .column("id", RootKey::id)
        .column("start", RootKey::start, key -> key.start() + "...")
        .column("name", RootKey::name)
        .column("workspace", RootKey::workspaceId)
        .column("state", KeysCommand::state)
        .json("createdAt", key -> Instant.ofEpochMilli(key.createdAtMillis()))
        .column(
            "permissions",
            key -> new TreeSet<>(key.permissions()),
            key -> shown(key.permissions()));
  }

  /** Permissions for a table: one per line, or "all". */
  private static String shown(Set<String> permissions) {
    return permissions.equals(Permissions.all())
        ? "all"
        : String.join("\n", new TreeSet<>(permissions));
  }

  private static String state(RootKey key) {
    return key.revoked() ? "revoked" : key.enabled() ? "enabled" : "disabled";
  }

  @Command(name = "revoke", description = "Keeps a key out for good.")
  void revoke(@Parameters(paramLabel = "ID", description = "Id of the key.") String id)
      throws SQLException {
    change(id, "revoked", catalog -> catalog.revokeKey(id));
  }

  @Command(name = "disable", description = "Keeps a key out until it is enabled again.")
  void disable(@Parameters(paramLabel = "ID", description = "Id of the key.") String id)
      throws SQLException {
    change(id, "disabled", catalog -> catalog.setKeyEnabled(id, false));
  }

  @Command(name = "enable", description = "Lets a disabled key in again.")
  void enable(@Parameters(paramLabel = "ID", description = "Id of the key.") String id)
      throws SQLException {
    change(id, "enabled", catalog -> catalog.setKeyEnabled(id, true));
  }

  /** An edit of a key that may be not there. */
  private interface Change {
    Optional<RootKey> of(Catalog catalog) throws SQLException;
  }

  private void change(String id, String done, Change change) throws SQLException {
    session.use(command, catalog -> {
      if (change.of(catalog).isEmpty()) {
        boolean revoked =
            catalog.changesSince(0).keys().stream().anyMatch(key -> key.id().equals(id));
        throw new Failure(
            revoked ? "the key " + id + " was revoked already" : "no key has the id " + id);
      }
      command.commandLine().getOut().println(done + " " + id);
    });
  }
}
