package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** What a node knows of a catalog that it follows. */
final class CatalogCopy {

  private final Map<String, Record> things = new HashMap<>();
  private long version;

  /** Takes in what is new, which belongs together and is nowhere older than what was there. */
  void follow(Catalog catalog) throws SQLException {
    CatalogChanges changes = catalog.changesSince(version);
    assertThat(changes.version()).isGreaterThanOrEqualTo(version);
    changes.workspaces().forEach(it -> take(it.id(), it, it.version()));
    changes.keys().forEach(it -> take(it.id(), it, it.version()));
    changes.namespaces().forEach(it -> take(it.id(), it, it.version()));
    changes.overrides().forEach(it -> take(it.id(), it, it.version()));
    changes.keys().forEach(it -> assertThat(things).containsKey(it.workspaceId()));
    changes.namespaces().forEach(it -> assertThat(things).containsKey(it.workspaceId()));
    changes.overrides().forEach(it -> assertThat(things).containsKey(it.namespaceId()));
    version = changes.version();
  }

  private void take(String id, Record thing, long changed) {
    assertThat(changed).isGreaterThan(version);
    things.put(id, thing);
  }

  long version() {
    return version;
  }

  Map<String, Record> things() {
    return things;
  }
}
