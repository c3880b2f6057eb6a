package io.tidegate.server.command;

import io.tidegate.catalog.AuditEntry;
import io.tidegate.server.log.Escaped;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the audit log of the catalog. */
@Command(
    name = "audit",
    description = "Show the edits of the catalog, newest first: when, what, by whom.")
final class AuditCommand implements Callable<Integer> {

  /** A bound for memory; a longer log is read with SQL. */
  private static final int MAX_ENTRIES = 10_000;

  private final CatalogSession session;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  @Option(
      names = "--workspace",
      paramLabel = "ID",
      description = "Show edits of this workspace only.")
  private @Nullable String workspaceId;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Show edits of the last 30m, 1h, 2d and so on. Default: all.")
  private @Nullable String since;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "Maximum number of edits, up to " + MAX_ENTRIES + ". Default: 50.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String limit;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  AuditCommand(CatalogSession session) {
    this.session = session;
  }

  @Override
  public Integer call() throws SQLException {
    session.use(command, catalog -> {
      int maxEntries = Math.toIntExact(OptionValue.number("--limit", limit, 1, MAX_ENTRIES));
      long sinceMillis =
          since == null ? 0 : System.currentTimeMillis() - OptionValue.millis("--since", since);
      List<AuditEntry> entries = workspaceId == null
          ? catalog.audit(sinceMillis, maxEntries)
          : catalog.auditOfWorkspace(
              CatalogSession.workspace(catalog, workspaceId).id(), sinceMillis, maxEntries);
      listing().print(entries, json, command.commandLine().getOut());
    });
    return 0;
  }

  static Listing<AuditEntry> listing() {
    return new Listing<AuditEntry>()
        .column(
            "time",
            entry -> Instant.ofEpochMilli(entry.atMillis()),
            entry -> Instant.ofEpochMilli(entry.atMillis())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString())
        .column("event", AuditEntry::event)
        .column("actor", AuditEntry::actor, AuditCommand::actor)
        .json("actorName", AuditEntry::actorName)
        .column("target", AuditEntry::target)
        .column("workspace", AuditEntry::workspaceId)
        .json("namespace", AuditEntry::targetNamespace)
        .column("name", AuditEntry::targetName, AuditCommand::name);
  }

  private static String actor(AuditEntry entry) {
    return entry.actorName() == null
        ? entry.actor()
        : entry.actor() + " (" + entry.actorName() + ")";
  }

  private static String name(AuditEntry entry) {
    String name = entry.targetName() == null ? "" : entry.targetName();
    return Escaped.of(
        entry.targetNamespace() == null ? name : name + " in namespace " + entry.targetNamespace());
  }
}
