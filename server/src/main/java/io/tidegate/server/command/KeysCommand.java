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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates, lists, disables, enables and revokes root keys. */
@Command(
    name = "keys",
    description = "Manage root keys, which authenticate the clients of a workspace.",
    synopsisSubcommandLabel = "COMMAND")
final class KeysCommand implements Runnable {

  private final CatalogSession session;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  KeysCommand(CatalogSession session) {
    this.session = session;
  }

  @Override
  public void run() {
    throw Commands.missingCommand(command);
  }

  @Command(
      name = "create",
      description = {
        "Create a key and print it. It cannot be shown again.",
        "",
        "Standard output contains the key only: KEY=$(tidegate keys create --name ci)"
      })
  void create(
      @Mixin WorkspaceOption workspaceOption,
      @Option(
              names = "--name",
              paramLabel = "NAME",
              required = true,
              description = "Name of the key, for people.")
          String name,
      @Option(
              names = "--permission",
              paramLabel = "PERMISSION",
              description = {
                "Permitted action, such as ratelimit.*.limit. Can be repeated.",
                "Default: all actions."
              })
          @Nullable
          List<String> permissions)
      throws SQLException {
    Set<String> permitted = permissions == null ? Permissions.all() : new TreeSet<>(permissions);
    session.use(command, catalog -> {
      permitted.forEach(Permissions::check);
      Workspace workspace = workspaceOption.find(catalog);
      NewRootKey created = catalog.createKey(workspace.id(), name, permitted);
      command.commandLine().getOut().println(created.secret());
      command
          .commandLine()
          .getErr()
          .println("The key is shown only this once. Its id is "
              + created.key().id()
              + ", its workspace "
              + workspace.id()
              + ".");
    });
  }

  @Command(name = "list", description = "List keys. Never shows secrets.")
  void list(@Mixin ListOptions options) throws SQLException {
    session.use(command, catalog -> {
      options.check(catalog);
      List<RootKey> keys = catalog.changesSince(0).keys().stream()
          .filter(key -> options.includes(key.workspaceId()))
          .sorted(
              Comparator.comparing(RootKey::workspaceId).thenComparing(RootKey::createdAtMillis))
          .toList();
      listing().print(keys, options.json(), command.commandLine().getOut());
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
            key -> lines(key.permissions()));
  }

  private static String lines(Set<String> permissions) {
    return permissions.equals(Permissions.all())
        ? "all"
        : String.join("\n", new TreeSet<>(permissions));
  }

  private static String state(RootKey key) {
    return key.revoked() ? "revoked" : key.enabled() ? "enabled" : "disabled";
  }

  @Command(name = "revoke", description = "Revoke a key permanently.")
  void revoke(@Parameters(paramLabel = "ID", description = "Id of the key.") String id)
      throws SQLException {
    change(id, "revoked", catalog -> catalog.revokeKey(id));
  }

  @Command(name = "disable", description = "Disable a key. It can be enabled again.")
  void disable(@Parameters(paramLabel = "ID", description = "Id of the key.") String id)
      throws SQLException {
    change(id, "disabled", catalog -> catalog.disableKey(id));
  }

  @Command(name = "enable", description = "Enable a disabled key.")
  void enable(@Parameters(paramLabel = "ID", description = "Id of the key.") String id)
      throws SQLException {
    change(id, "enabled", catalog -> catalog.enableKey(id));
  }

  /** Changes a key. The result is empty if the key is unknown or revoked. */
  private interface KeyChange {
    Optional<RootKey> apply(Catalog catalog) throws SQLException;
  }

  private void change(String id, String done, KeyChange change) throws SQLException {
    session.use(command, catalog -> {
      if (change.apply(catalog).isEmpty()) {
        boolean revoked =
            catalog.changesSince(0).keys().stream().anyMatch(key -> key.id().equals(id));
        throw new Failure(
            revoked ? "key " + id + " is already revoked" : "no key has the id " + id);
      }
      command.commandLine().getOut().println(done + " " + id);
    });
  }
}
