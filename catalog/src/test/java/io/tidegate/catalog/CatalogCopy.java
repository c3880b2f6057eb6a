package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** A copy of a catalog that follows its changes. */
final class CatalogCopy {

  private final Map<String, Record> rows = new HashMap<>();
  private long version;

  /** Applies the changes, which must be complete and newer than the rows of this copy. */
  void follow(Catalog catalog) throws SQLException {
    CatalogChanges changes = catalog.changesSince(version);
    assertThat(changes.version()).isGreaterThanOrEqualTo(version);
    changes.workspaces().forEach(it -> apply(it.id(), it, it.version()));
    changes.keys().forEach(it -> apply(it.id(), it, it.version()));
    changes.namespaces().forEach(it -> apply(it.id(), it, it.version()));
    changes.overrides().forEach(it -> apply(it.id(), it, it.version()));
    changes.keys().forEach(it -> assertThat(rows).containsKey(it.workspaceId()));
    changes.namespaces().forEach(it -> assertThat(rows).containsKey(it.workspaceId()));
    changes.overrides().forEach(it -> assertThat(rows).containsKey(it.namespaceId()));
    version = changes.version();
  }

  private void apply(String id, Record row, long changed) {
    assertThat(changed).isGreaterThan(version);
    rows.put(id, row);
  }

  long version() {
    return version;
  }

  Map<String, Record> rows() {
    return rows;
  }
}
