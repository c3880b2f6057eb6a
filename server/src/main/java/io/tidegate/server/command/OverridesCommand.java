package io.tidegate.server.command;

import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.CatalogChanges;
import io.tidegate.catalog.LimitOverride;
import io.tidegate.catalog.Workspace;
import io.tidegate.model.Bounds;
import io.tidegate.server.catalog.Directory;
import io.tidegate.server.catalog.KnownNamespace;
import io.tidegate.server.catalog.KnownOverride;
import io.tidegate.server.catalog.KnownWorkspace;
import io.tidegate.server.catalog.Overrides;
import io.tidegate.server.config.Durations;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists, sets and deletes overrides. */
@Command(
    name = "overrides",
    description = "Manage overrides, which replace the limit for some identifiers of a namespace.",
    synopsisSubcommandLabel = "COMMAND")
final class OverridesCommand implements Runnable {

  private static final String NAMESPACE = "Name or id of the namespace.";

  private final CatalogSession session;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  OverridesCommand(CatalogSession session) {
    this.session = session;
  }

  @Override
  public void run() {
    throw Commands.missingCommand(command);
  }

  @Command(name = "list", description = "List the overrides of a namespace.")
  void list(
      @Parameters(paramLabel = "NAMESPACE", description = NAMESPACE) String namespace,
      @Mixin WorkspaceOption workspaceOption,
      @Option(names = "--json", description = "Print JSON.") boolean json)
      throws SQLException {
    session.use(command, catalog -> {
      Workspace workspace = workspaceOption.find(catalog);
      CatalogChanges all = catalog.changesSince(0);
      String namespaceId = find(all, workspace, namespace).namespace.id();
      List<LimitOverride> overrides = all.overrides().stream()
          .filter(override -> override.namespaceId().equals(namespaceId) && !override.deleted())
          .sorted(Comparator.comparing(LimitOverride::identifier))
          .toList();
      listing().print(overrides, json, command.commandLine().getOut());
    });
  }

  static Listing<LimitOverride> listing() {
    return new Listing<LimitOverride>()
        .column("id", LimitOverride::id)
        .column("limit", LimitOverride::limit)
        .json("durationMillis", LimitOverride::durationMillis)
        .shown("duration", override -> show(override.durationMillis()))
        .json("createdAt", override -> Instant.ofEpochMilli(override.createdAtMillis()))
        .json("updatedAt", override -> Instant.ofEpochMilli(override.updatedAtMillis()))
        .column("identifier", LimitOverride::identifier);
  }

  @Command(
      name = "set",
      description = {
        "Create or change an override. Running servers apply it within a second or two.",
        "",
        "Quote a pattern: tidegate overrides set login 'user_*' --limit 100 --duration 1m"
      })
  void set(
      @Parameters(index = "0", paramLabel = "NAMESPACE", description = NAMESPACE) String namespace,
      @Parameters(
              index = "1",
              paramLabel = "IDENTIFIER",
              description = "Identifier, or a pattern in which * matches any characters.")
          String identifier,
      @Option(
              names = "--limit",
              paramLabel = "N",
              required = true,
              description = "Tokens per window; 0 denies every request.")
          String limit,
      @Option(
              names = "--duration",
              paramLabel = "TIME",
              required = true,
              description = "Length of the window, such as 60s, 5m or 30d.")
          String duration,
      @Mixin WorkspaceOption workspaceOption)
      throws SQLException {
    session.use(command, catalog -> {
      long tokens = OptionValue.number("--limit", limit, 0, Bounds.MAX_TOKENS);
      long windowMillis = windowMillis(duration);
      Place place = find(catalog, workspaceOption, namespace);
      if (!place.workspace.hasRoomFor(place.namespace, identifier)) {
        throw new Failure("no room for the override " + identifier + ": a workspace has at most "
            + KnownWorkspace.MAX_OVERRIDES + " overrides, deleted ones included, and a namespace "
            + Overrides.MAX_WILDCARDS + " with wildcards");
      }
      KnownOverride before = place.namespace.overrides().exact(identifier);
      LimitOverride set = catalog.setOverride(
          place.namespace.id(), identifier, tokens, windowMillis, NamespacesCommand.ACTOR);
      print("set " + set.id() + ": " + show(set.limit(), set.durationMillis())
          + (before == null ? "" : "; before: " + show(before.limit(), before.durationMillis())));
    });
  }

  private static long windowMillis(String duration) {
    long millis = OptionValue.millis("--duration", duration);
    if (millis < Bounds.MIN_WINDOW_MILLIS || millis > Bounds.MAX_WINDOW_MILLIS) {
      throw new IllegalArgumentException("--duration must be from "
          + Duration.ofMillis(Bounds.MIN_WINDOW_MILLIS).toSeconds() + "s to "
          + Duration.ofMillis(Bounds.MAX_WINDOW_MILLIS).toDays() + "d: " + duration);
    }
    return millis;
  }

  @Command(name = "delete", description = "Delete an override.")
  void delete(
      @Parameters(index = "0", paramLabel = "NAMESPACE", description = NAMESPACE) String namespace,
      @Parameters(
              index = "1",
              paramLabel = "IDENTIFIER",
              description = "Identifier or pattern, exactly as it was set.")
          String identifier,
      @Mixin WorkspaceOption workspaceOption)
      throws SQLException {
    session.use(command, catalog -> {
      Place place = find(catalog, workspaceOption, namespace);
      LimitOverride deleted = catalog
          .deleteOverride(place.namespace.id(), identifier, NamespacesCommand.ACTOR)
          .orElseThrow(
              () -> new Failure("namespace " + namespace + " has no override for " + identifier));
      print("deleted " + deleted.id() + ": " + show(deleted.limit(), deleted.durationMillis()));
    });
  }

  /** A namespace that is not deleted, and its workspace. */
  private record Place(KnownWorkspace workspace, KnownNamespace namespace) {}

  private static Place find(Catalog catalog, WorkspaceOption workspaceOption, String nameOrId)
      throws SQLException {
    Workspace workspace = workspaceOption.find(catalog);
    return find(catalog.changesSince(0), workspace, nameOrId);
  }

  /** Finds a namespace as the server does, in a copy of the whole catalog. */
  private static Place find(CatalogChanges all, Workspace workspace, String nameOrId) {
    Directory directory = new Directory();
    directory.apply(all);
    KnownWorkspace known = Objects.requireNonNull(directory.workspace(workspace.id()));
    KnownNamespace namespace = known.namespace(nameOrId);
    if (namespace == null) {
      throw new Failure("workspace " + workspace.id() + " has no namespace " + nameOrId
          + "; 'tidegate namespaces list' lists them");
    }
    if (namespace.deleted()) {
      throw NamespacesCommand.deleted(nameOrId, namespace.id());
    }
    return new Place(known, namespace);
  }

  private static String show(long limit, long durationMillis) {
    return "limit " + limit + ", duration " + show(durationMillis);
  }

  private static String show(long durationMillis) {
    return Durations.show(Duration.ofMillis(durationMillis));
  }

  private void print(String line) {
    command.commandLine().getOut().println(line);
  }
}
