package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The behaviour of workspaces and root keys in every database, and what all contracts share. */
abstract class KeysContract {

  private static final String SECRET = "given-by-the-operator";

  static final Set<String> ALL = Set.of("ratelimit.*.limit", "ratelimit.*.set_override");

  /** An empty catalog for each test. */
  abstract Catalog catalog();

  /** Another connection pool to the same database, as of another node. */
  Catalog another() {
    return another(new RandomText());
  }

  abstract Catalog another(RandomText random);

  /** A query for the number of times that the first migration was applied. */
  abstract String countOfFirstMigration();

  /** Queries the database directly. */
  abstract List<List<@Nullable String>> query(String sql);

  Workspace workspace() throws SQLException {
    return catalog().createWorkspace("acme", null);
  }

  Namespace namespace() throws SQLException {
    return catalog().createNamespace(workspace().id(), "login", "key_1");
  }

  CatalogChanges all() throws SQLException {
    return catalog().changesSince(0);
  }

  /** Event, actor and target of the entries of the audit log. */
  List<List<@Nullable String>> audit() {
    return query("SELECT event, actor, target FROM audit_log ORDER BY id");
  }

  @Test
  void isEmptyInitially() throws SQLException {
    assertThat(catalog().version()).isZero();
    assertThat(all()).isEqualTo(new CatalogChanges(0, List.of(), List.of(), List.of(), List.of()));
  }

  @Test
  void workspaceIsCreatedAndChanged() throws SQLException {
    Workspace created = catalog().createWorkspace("acme", 600L);
    assertThat(created.id()).matches("ws_[0-9A-Za-z]{9}");
    assertThat(created).isEqualTo(new Workspace(created.id(), "acme", true, 600L, 1));
    assertThat(all().workspaces()).containsExactly(created);
    Workspace changed = catalog().disableWorkspace(created.id()).orElseThrow();
    assertThat(changed).isEqualTo(new Workspace(created.id(), "acme", false, 600L, 2));
    Workspace unlimited = catalog().setRequestsPerMinute(created.id(), null).orElseThrow();
    assertThat(unlimited).isEqualTo(new Workspace(created.id(), "acme", false, null, 3));
    assertThat(all().workspaces()).containsExactly(unlimited);
    assertThat(audit())
        .containsExactly(
            List.of("workspace.create", "operator", created.id()),
            List.of("workspace.update", "operator", created.id()),
            List.of("workspace.update", "operator", created.id()));
  }

  @Test
  void workspacesMayHaveTheSameName() throws SQLException {
    assertThat(workspace().id()).isNotEqualTo(workspace().id());
    assertThat(all().workspaces()).hasSize(2);
  }

  @Test
  void unknownWorkspaceIsNotChanged() throws SQLException {
    Workspace workspace = workspace();
    for (String id :
        List.of("ws_none", "", workspace.id() + " ", workspace.id().toUpperCase(Locale.ROOT))) {
      assertThat(catalog().disableWorkspace(id)).isEmpty();
      assertThat(catalog().setRequestsPerMinute(id, 1L)).isEmpty();
    }
    assertThat(all().workspaces()).containsExactly(workspace);
    assertThat(catalog().version()).isEqualTo(workspace.version());
  }

  @Test
  void keyIsCreated() throws SQLException {
    Workspace workspace = workspace();
    NewRootKey created = catalog().createKey(workspace.id(), "ci", ALL);
    assertThat(created.secret()).matches("tg_[0-9A-Za-z]{32}");
    RootKey key = created.key();
    assertThat(key.id()).matches("key_[0-9A-Za-z]{9}");
    assertThat(key)
        .isEqualTo(new RootKey(
            key.id(),
            workspace.id(),
            "ci",
            HexFormat.of().formatHex(Sha256.of(created.secret())),
            created.secret().substring(0, 7),
            ALL,
            true,
            false,
            key.createdAtMillis(),
            2));
    assertThat(key.createdAtMillis())
        .isBetween(System.currentTimeMillis() - 60_000, System.currentTimeMillis());
    assertThat(all().keys()).containsExactly(key);
    assertThat(audit()).contains(List.of("key.create", "operator", key.id()));
  }

  @Test
  void secretIsNotStored() throws SQLException {
    NewRootKey created = catalog().createKey(workspace().id(), "ci", ALL);
    assertThat(created.toString()).doesNotContain(created.secret());
    for (String table : List.of("root_keys", "audit_log")) {
      assertThat(query("SELECT * FROM " + table).toString()).doesNotContain(created.secret());
    }
  }

  @Test
  void keyMayHaveNoOrUnusualPermissions() throws SQLException {
    Workspace workspace = workspace();
    for (Set<String> permissions : List.of(
        Set.<String>of(), Set.of("*"), Set.of("ratelimit.日本 😀.limit", " ", "a", "A", "a "))) {
      RootKey key = catalog().createKey(workspace.id(), "ci", permissions).key();
      assertThat(key.permissions()).isEqualTo(permissions);
      assertThat(all().keys()).contains(key);
    }
  }

  @Test
  void keyIsDisabledEnabledAndRevoked() throws SQLException {
    RootKey created = catalog().createKey(workspace().id(), "ci", ALL).key();
    RootKey disabled = catalog().disableKey(created.id()).orElseThrow();
    assertThat(disabled.enabled()).isFalse();
    assertThat(disabled.version()).isEqualTo(3);
    assertThat(catalog().disableKey(created.id())).contains(disabled); // disabled already
    assertThat(catalog().enableKey(created.id()).orElseThrow().enabled()).isTrue();
    RootKey revoked = catalog().revokeKey(created.id()).orElseThrow();
    assertThat(revoked.revoked()).isTrue();
    assertThat(revoked.version()).isEqualTo(5);
    assertThat(catalog().revokeKey(created.id())).isEmpty();
    assertThat(catalog().disableKey(created.id())).isEmpty();
    assertThat(catalog().revokeKey("key_none")).isEmpty();
    assertThat(catalog().version()).isEqualTo(5);
    assertThat(all().keys()).containsExactly(revoked);
    assertThat(audit())
        .endsWith(
            List.of("key.disable", "operator", created.id()),
            List.of("key.enable", "operator", created.id()),
            List.of("key.revoke", "operator", created.id()));
  }

  @Test
  void firstWorkspaceIsCreatedOnce() throws SQLException {
    NewRootKey created = catalog().createFirst(ALL).orElseThrow();
    assertThat(catalog().createFirst(ALL)).isEmpty();
    CatalogChanges changes = all();
    assertThat(changes.version()).isEqualTo(1);
    assertThat(changes.workspaces()).singleElement().satisfies(workspace -> {
      assertThat(workspace.name()).isEqualTo("default");
      assertThat(workspace.id()).isEqualTo(created.key().workspaceId());
      assertThat(workspace.enabled()).isTrue();
    });
    assertThat(changes.keys()).containsExactly(created.key());
    assertThat(created.key().permissions()).isEqualTo(ALL);
    assertThat(audit())
        .extracting(row -> row.get(0))
        .containsExactly("workspace.create", "key.create");
  }

  @Test
  void firstWorkspaceIsNotCreatedBesideAnother() throws SQLException {
    workspace();
    assertThat(catalog().createFirst(ALL)).isEmpty();
    assertThat(all().workspaces()).hasSize(1);
  }

  @Test
  void givenKeyIsCreatedOnce() throws SQLException {
    assertThat(catalog().ensureKey(SECRET, "given", ALL)).isEmpty();
    RootKey key = all().keys().get(0);
    assertThat(key.hash()).isEqualTo(HexFormat.of().formatHex(Sha256.of(SECRET)));
    assertThat(key.name()).isEqualTo("given");
    assertThat(key.permissions()).isEqualTo(ALL);
    assertThat(key.workspaceId()).isEqualTo(all().workspaces().get(0).id());
    assertThat(catalog().ensureKey(SECRET, "again", Set.of())).hasValue(key);
    assertThat(catalog().createFirst(ALL)).isEmpty();
    assertThat(all().keys()).containsExactly(key);
    assertThat(catalog().version()).isEqualTo(1);
  }

  @Test
  void anotherGivenKeyIsCreatedInTheOldestWorkspaceBesideTheFirst() throws SQLException {
    catalog().ensureKey(SECRET, "given", ALL);
    catalog().createWorkspace("later", null);
    assertThat(catalog().ensureKey(SECRET + "2", "given", ALL)).isEmpty();
    assertThat(all().keys())
        .hasSize(2)
        .extracting(RootKey::workspaceId)
        .containsOnly(all().workspaces().get(0).id());
  }

  @Test
  void revokedGivenKeyStaysRevoked() throws SQLException {
    catalog().ensureKey(SECRET, "given", ALL);
    RootKey revoked = catalog().revokeKey(all().keys().get(0).id()).orElseThrow();
    assertThat(catalog().ensureKey(SECRET, "given", ALL)).hasValue(revoked);
  }

  @Test
  void shortGivenKeyIsRejectedAndNotShown() {
    assertThatThrownBy(() -> catalog().ensureKey("hunter2", "given", ALL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("secret must have at least 20 characters: 7");
  }

  @Test
  void nodesThatStartTogetherCreateAGivenKeyOnce() throws Exception {
    List<Catalog> nodes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      nodes.add(another());
    }
    List<Optional<RootKey>> found = Together.call(nodes.stream()
        .map(node -> (Callable<Optional<RootKey>>) () -> node.ensureKey(SECRET, "given", ALL))
        .toList());
    nodes.forEach(Catalog::close);
    assertThat(found).filteredOn(Optional::isEmpty).hasSize(1);
    assertThat(all().keys()).hasSize(1);
    assertThat(all().workspaces()).hasSize(1);
  }
}
