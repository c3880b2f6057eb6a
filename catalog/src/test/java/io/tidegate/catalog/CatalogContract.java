package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.testing.contract.TrickyNames;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The behaviour of a catalog in every database. */
abstract class CatalogContract extends AuditContract {

  @Test
  void namespaceIsCreatedOnce() throws SQLException {
    Workspace workspace = workspace();
    Namespace created = catalog().createNamespace(workspace.id(), "login", "key_1");
    assertThat(created.id()).matches("rlns_[0-9A-Za-z]{9}");
    assertThat(created)
        .isEqualTo(new Namespace(
            created.id(), workspace.id(), "login", false, created.createdAtMillis(), 2));
    assertThat(catalog().createNamespace(workspace.id(), "login", "key_2")).isEqualTo(created);
    Namespace deleted = catalog().deleteNamespace(created.id(), "key_1").orElseThrow();
    assertThat(catalog().createNamespace(workspace.id(), "login", "key_2")).isEqualTo(deleted);
    assertThat(catalog().version()).isEqualTo(3);
    assertThat(all().namespaces()).containsExactly(deleted);
  }

  @Test
  void workspacesHaveSeparateNamespaces() throws SQLException {
    assertThat(namespace().id()).isNotEqualTo(namespace().id());
    assertThat(all().namespaces()).hasSize(2).allMatch(found -> found.name().equals("login"));
  }

  @Test
  void namespaceIsDeletedAndRestored() throws SQLException {
    Namespace created = namespace();
    Namespace deleted = catalog().deleteNamespace(created.id(), "key_2").orElseThrow();
    assertThat(deleted.deleted()).isTrue();
    assertThat(deleted.version()).isEqualTo(3);
    assertThat(catalog().changesSince(2).namespaces()).containsExactly(deleted);
    assertThat(catalog().deleteNamespace(created.id(), "key_2")).contains(deleted);
    Namespace restored = catalog().restoreNamespace(created.id(), "key_3").orElseThrow();
    assertThat(restored)
        .isEqualTo(new Namespace(
            created.id(), created.workspaceId(), "login", false, created.createdAtMillis(), 4));
    assertThat(catalog().deleteNamespace("rlns_none", "key_1")).isEmpty();
    assertThat(audit())
        .endsWith(
            List.of("ratelimitNamespace.create", "key_1", created.id()),
            List.of("ratelimitNamespace.delete", "key_2", created.id()),
            List.of("ratelimitNamespace.restore", "key_3", created.id()));
  }

  @Test
  void overrideKeepsItsIdWhenChangedDeletedAndRestored() throws SQLException {
    Namespace namespace = namespace();
    LimitOverride created = catalog().setOverride(namespace.id(), "user_*", 10, 60_000, "key_1");
    assertThat(created.id()).matches("rlor_[0-9A-Za-z]{9}");
    assertThat(created)
        .isEqualTo(new LimitOverride(
            created.id(),
            namespace.workspaceId(),
            namespace.id(),
            "user_*",
            10,
            60_000,
            false,
            created.createdAtMillis(),
            created.createdAtMillis(),
            3));
    LimitOverride changed = catalog().setOverride(namespace.id(), "user_*", 0, 1_000, "key_2");
    assertThat(changed.id()).isEqualTo(created.id());
    assertThat(changed.limit()).isZero();
    assertThat(changed.durationMillis()).isEqualTo(1_000);
    assertThat(changed.createdAtMillis()).isEqualTo(created.createdAtMillis());
    assertThat(changed.updatedAtMillis()).isGreaterThanOrEqualTo(created.updatedAtMillis());
    assertThat(all().overrides()).containsExactly(changed);

    LimitOverride deleted =
        catalog().deleteOverride(namespace.id(), "user_*", "key_3").orElseThrow();
    assertThat(deleted.deleted()).isTrue();
    assertThat(deleted.version()).isEqualTo(5);
    assertThat(catalog().changesSince(4).overrides()).containsExactly(deleted);
    assertThat(catalog().deleteOverride(namespace.id(), "user_*", "key_3")).isEmpty();
    assertThat(catalog().deleteOverride(namespace.id(), "user_1", "key_3")).isEmpty();
    assertThat(catalog().version()).isEqualTo(5);

    LimitOverride restored = catalog().setOverride(namespace.id(), "user_*", 7, 60_000, "key_4");
    assertThat(restored.id()).isEqualTo(created.id());
    assertThat(restored.deleted()).isFalse();
    assertThat(restored.limit()).isEqualTo(7);
    assertThat(all().overrides()).containsExactly(restored);
    assertThat(audit())
        .endsWith(
            List.of("ratelimit.set_override", "key_1", created.id()),
            List.of("ratelimit.set_override", "key_2", created.id()),
            List.of("ratelimit.delete_override", "key_3", created.id()),
            List.of("ratelimit.set_override", "key_4", created.id()));
  }

  @Test
  void namespacesHaveSeparateOverrides() throws SQLException {
    Namespace one = namespace();
    Namespace two = catalog().createNamespace(one.workspaceId(), "signup", "key_1");
    LimitOverride first = catalog().setOverride(one.id(), "user", 1, 1_000, "key_1");
    LimitOverride second = catalog().setOverride(two.id(), "user", 2, 2_000, "key_1");
    assertThat(all().overrides()).containsExactly(first, second);
    assertThat(catalog().deleteOverride(two.id(), "user", "key_1")).isPresent();
    assertThat(all().overrides()).contains(first);
  }

  @Test
  void namesAreComparedCharacterByCharacter() throws SQLException {
    Namespace namespace = namespace();
    List<Namespace> namespaces = new ArrayList<>(List.of(namespace));
    List<LimitOverride> overrides = new ArrayList<>();
    for (String name : TrickyNames.DISTINCT) {
      namespaces.add(catalog().createNamespace(namespace.workspaceId(), name, name));
      overrides.add(catalog().setOverride(namespace.id(), name, overrides.size(), 1_000, name));
    }
    assertThat(namespaces).doesNotHaveDuplicates();
    assertThat(all().namespaces()).containsExactlyElementsOf(namespaces);
    assertThat(all().overrides()).containsExactlyElementsOf(overrides);
    assertThat(all().namespaces())
        .extracting(Namespace::name)
        .endsWith(TrickyNames.DISTINCT.toArray(String[]::new));
    for (LimitOverride override : overrides) {
      assertThat(catalog()
              .setOverride(namespace.id(), override.identifier(), 5, 1_000, "key")
              .id())
          .isEqualTo(override.id());
    }
  }

  @Test
  void longestNamesOfEveryScriptFit() throws SQLException {
    for (String letter : List.of("a", "é", "日", "😀")) {
      String longest = letter.repeat(512);
      Workspace workspace = catalog().createWorkspace(longest, null);
      RootKey key =
          catalog().createKey(workspace.id(), longest, Set.of(longest)).key();
      Namespace namespace = catalog().createNamespace(workspace.id(), longest, longest);
      LimitOverride override = catalog().setOverride(namespace.id(), longest, 1, 1_000, longest);
      CatalogChanges changes = all();
      assertThat(changes.workspaces()).contains(workspace);
      assertThat(changes.keys()).contains(key);
      assertThat(changes.namespaces()).contains(namespace);
      assertThat(changes.overrides()).contains(override);
      assertThat(override.identifier()).isEqualTo(longest);
    }
  }

  @Test
  void greatestValuesFit() throws SQLException {
    long most = 1_000_000_000_000L;
    Namespace namespace = namespace();
    LimitOverride override =
        catalog().setOverride(namespace.id(), "*", most, 366L * 24 * 3_600_000, "key_1");
    assertThat(override.limit()).isEqualTo(most);
    assertThat(catalog().createWorkspace("great", most).requestsPerMinute()).isEqualTo(most);
  }

  @Test
  void invalidValuesAreRejectedAndChangeNothing() throws SQLException {
    Namespace namespace = namespace();
    Namespace absent = new Namespace("rlns_none", namespace.workspaceId(), "x", false, 0, 0);
    rejected(
        "limit must be between 0 and 1000000000000: -1",
        () -> catalog().setOverride(namespace.id(), "user", -1, 1_000, "key_1"));
    rejected(
        "window in milliseconds must be between 1000 and 31622400000: 999",
        () -> catalog().setOverride(namespace.id(), "user", 1, 999, "key_1"));
    rejected(
        "identifier must not be empty",
        () -> catalog().setOverride(namespace.id(), "", 1, 1_000, "key_1"));
    rejected(
        "identifier must have at most 512 characters",
        () -> catalog().setOverride(namespace.id(), "x".repeat(513), 1, 1_000, "key_1"));
    rejected(
        "identifier must not contain half a surrogate pair",
        () -> catalog().setOverride(namespace.id(), "\ud83d", 1, 1_000, "key_1"));
    rejected(
        "identifier must not contain half a surrogate pair",
        () -> catalog().deleteOverride(namespace.id(), "a\ude00b", "key_1"));
    rejected(
        "actor must not be empty",
        () -> catalog().setOverride(namespace.id(), "user", 1, 1_000, ""));
    rejected(
        "no namespace has this id: rlns_none",
        () -> catalog().setOverride(absent.id(), "user", 1, 1_000, "key_1"));
    rejected(
        "name must not contain half a surrogate pair",
        () -> catalog().createNamespace(namespace.workspaceId(), "\udc00", "key_1"));
    rejected(
        "no workspace has this id: ws_none",
        () -> catalog().createNamespace("ws_none", "login", "key_1"));
    rejected("no workspace has this id: ws_none", () -> catalog().createKey("ws_none", "ci", ALL));
    rejected(
        "permission must not contain a line break",
        () -> catalog().createKey(namespace.workspaceId(), "ci", Set.of("a\nb")));
    Set<String> tooManyBytes =
        IntStream.range(0, 80).mapToObj(i -> "é".repeat(500) + i).collect(Collectors.toSet());
    rejected(
        "permissions must have at most 65535 bytes",
        () -> catalog().createKey(namespace.workspaceId(), "ci", tooManyBytes));
    rejected("name must not be empty", () -> catalog().createWorkspace("", null));
    rejected("requestsPerMinute must be between 0", () -> catalog().createWorkspace("acme", -1L));
    assertThat(catalog().version()).isEqualTo(namespace.version());
    assertThat(audit()).hasSize(2);
    assertThat(catalog().setOverride(namespace.id(), "user", 1, 1_000, "key_1").version())
        .isEqualTo(namespace.version() + 1); // no connection is left in a transaction
  }

  private interface Call {
    void run() throws SQLException;
  }

  private static void rejected(String message, Call call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void changesAreReturnedInTheirOrder() throws SQLException {
    Namespace namespace = namespace();
    LimitOverride one = catalog().setOverride(namespace.id(), "one", 1, 1_000, "key_1");
    LimitOverride two = catalog().setOverride(namespace.id(), "two", 2, 1_000, "key_1");
    LimitOverride oneAgain = catalog().setOverride(namespace.id(), "one", 3, 1_000, "key_1");
    assertThat(catalog().changesSince(one.version()))
        .isEqualTo(new CatalogChanges(5, List.of(), List.of(), List.of(), List.of(two, oneAgain)));
    assertThat(catalog().changesSince(5))
        .isEqualTo(new CatalogChanges(5, List.of(), List.of(), List.of(), List.of()));
  }

  /** As after the restore of a backup. */
  @Test
  void catalogWithALowerVersionIsReadFromTheBeginning() throws SQLException {
    Namespace namespace = namespace();
    CatalogChanges changes = catalog().changesSince(1_000);
    assertThat(changes.version()).isEqualTo(2);
    assertThat(changes.namespaces()).containsExactly(namespace);
    assertThat(changes).isEqualTo(all());
  }

  @Test
  void everyEditIsInTheAuditLogWithItsVersionAndTime() throws SQLException {
    Optional<NewRootKey> first = catalog().createFirst(ALL);
    String workspace = first.orElseThrow().key().workspaceId();
    catalog().createNamespace(workspace, "login", "key_1");
    assertThat(query("SELECT workspace_id, version FROM audit_log ORDER BY id"))
        .containsExactly(List.of(workspace, "1"), List.of(workspace, "1"), List.of(workspace, "2"));
    assertThat(query("SELECT at_m FROM audit_log"))
        .allMatch(
            row -> Math.abs(Long.parseLong(row.get(0)) - System.currentTimeMillis()) < 60_000);
  }

  @Test
  void idInUseIsReplacedByAnother() throws SQLException {
    try (Catalog unlucky = another(new RandomText(new RepeatingRandom()))) {
      Workspace one = unlucky.createWorkspace("one", null);
      Workspace two = unlucky.createWorkspace("two", null);
      assertThat(one.id()).isEqualTo("ws_000000000");
      assertThat(two.id()).isEqualTo("ws_111111111");
    }
  }

  /** Returns each digit 18 times, so that each id of 9 characters occurs twice. */
  private static final class RepeatingRandom implements RandomGenerator {
    private int drawn;

    @Override
    public int nextInt(int bound) {
      return drawn++ / 18 % bound;
    }

    @Override
    public long nextLong() {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void nodesThatStartTogetherCreateTheTablesAndTheFirstWorkspaceOnce() throws Exception {
    List<Catalog> nodes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      nodes.add(another());
    }
    List<Optional<NewRootKey>> created = Together.call(nodes.stream()
        .map(node -> (Callable<Optional<NewRootKey>>) () -> node.createFirst(ALL))
        .toList());
    nodes.forEach(Catalog::close);
    assertThat(created).filteredOn(Optional::isPresent).hasSize(1);
    assertThat(all().workspaces()).hasSize(1);
    assertThat(all().keys()).hasSize(1);
    assertThat(catalog().version()).isEqualTo(1);
    assertThat(query(countOfFirstMigration()).get(0)).containsExactly("1");
  }

  @Test
  void concurrentRequestsCreateANamespaceOnce() throws Exception {
    Workspace workspace = workspace();
    try (Catalog other = another()) {
      List<Callable<Namespace>> calls = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Catalog node = i % 2 == 0 ? catalog() : other;
        calls.add(() -> node.createNamespace(workspace.id(), "login", "key_1"));
      }
      assertThat(Together.call(calls)).containsOnly(all().namespaces().get(0));
    }
    assertThat(catalog().version()).isEqualTo(2);
  }

  @Test
  void readerOfChangesMissesNothing() throws Exception {
    int writers = 8;
    int editsEach = 40;
    Workspace workspace = workspace();
    AtomicInteger writing = new AtomicInteger(writers);
    List<Callable<@Nullable Void>> calls = new ArrayList<>();
    CatalogCopy copy = new CatalogCopy();
    List<Long> versions = Collections.synchronizedList(new ArrayList<>());
    try (Catalog other = another();
        Catalog reader = another()) {
      for (int i = 0; i < writers; i++) {
        Catalog node = i % 2 == 0 ? catalog() : other;
        int writer = i;
        calls.add(() -> {
          try {
            for (int j = 0; j < editsEach / 4; j++) {
              Namespace namespace =
                  node.createNamespace(workspace.id(), "name " + writer + "/" + j, "key_1");
              LimitOverride override = node.setOverride(namespace.id(), "user", j, 1_000, "key_1");
              NewRootKey key = node.createKey(workspace.id(), "key " + writer, ALL);
              LimitOverride deleted =
                  node.deleteOverride(namespace.id(), "user", "key_1").orElseThrow();
              versions.addAll(List.of(
                  namespace.version(), override.version(), key.key().version(), deleted.version()));
            }
          } finally {
            writing.decrementAndGet();
          }
          return null;
        });
      }
      calls.add(() -> {
        while (writing.get() > 0) {
          copy.follow(reader);
        }
        copy.follow(reader);
        return null;
      });
      Together.call(calls);
    }
    assertThat(versions).hasSize(writers * editsEach).doesNotHaveDuplicates();
    assertThat(copy.version()).isEqualTo(1 + writers * editsEach);
    CatalogCopy fresh = new CatalogCopy();
    fresh.follow(catalog());
    assertThat(copy.rows()).isEqualTo(fresh.rows()).hasSize(1 + writers * editsEach * 3 / 4);
    assertThat(query("SELECT COUNT(*), COUNT(DISTINCT version), MAX(version) FROM audit_log"))
        .containsExactly(Collections.nCopies(3, Long.toString(copy.version())));
  }
}
