package io.tidegate.server.command;

import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.Workspace;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that chooses the workspace of a new row. */
final class WorkspaceOption {

  @Option(
      names = "--workspace",
      paramLabel = "ID",
      description = "Id of the workspace. Required if there are several.")
  private @Nullable String id;

  Workspace find(Catalog catalog) throws SQLException {
    return CatalogSession.workspace(catalog, id);
  }
}
