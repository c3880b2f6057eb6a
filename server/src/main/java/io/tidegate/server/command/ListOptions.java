package io.tidegate.server.command;

import io.tidegate.catalog.Catalog;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that list rows of workspaces. */
final class ListOptions {

  @Option(names = "--workspace", paramLabel = "ID", description = "List this workspace only.")
  private @Nullable String workspaceId;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** Fails if the chosen workspace does not exist, which would look like an empty list. */
  void check(Catalog catalog) throws SQLException {
    if (workspaceId != null) {
      CatalogSession.workspace(catalog, workspaceId);
    }
  }

  boolean includes(String workspace) {
    return workspaceId == null || workspaceId.equals(workspace);
  }

  boolean json() {
    return json;
  }
}
