package io.tidegate.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.CatalogChanges;
import io.tidegate.catalog.LimitOverride;
import io.tidegate.catalog.Namespace;
import io.tidegate.catalog.RootKey;
import io.tidegate.catalog.Workspace;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectoryTest {

  private final Directory directory = new Directory();

  private static byte[] hash(int... ends) {
    byte[] hash = new byte[32];
    for (int i = 0; i < ends.length; i++) {
      hash[hash.length - 1 - i] = (byte) ends[i];
    }
    return hash;
  }

  private static RootKey key(byte[] hash, String workspaceId, boolean revoked, long version) {
    return new RootKey(
        "key_1",
        workspaceId,
        "name",
        HexFormat.of().formatHex(hash),
        "tg_1234",
        Set.of("ratelimit.*.limit"),
        true,
        revoked,
        0,
        version);
  }

  private void apply(Workspace workspace) {
    directory.apply(new CatalogChanges(1, List.of(workspace), List.of(), List.of(), List.of()));
  }

  private void apply(RootKey key) {
    directory.apply(new CatalogChanges(1, List.of(), List.of(key), List.of(), List.of()));
  }

  private void apply(Namespace namespace) {
    directory.apply(new CatalogChanges(1, List.of(), List.of(), List.of(namespace), List.of()));
  }

  private void apply(LimitOverride override) {
    directory.apply(new CatalogChanges(1, List.of(), List.of(), List.of(), List.of(override)));
  }

  private KnownWorkspace workspace() {
    return directory.find(hash(1)).workspace();
  }

  @BeforeEach
  void readWorkspace() {
    apply(new Workspace("ws_1", "name", true, null, 1));
  }

  /** The lookup compares hashes only, so its duration reveals nothing about the text of a key. */
  @Test
  void keyIsFoundByItsWholeHash() {
    apply(key(hash(1), "ws_1", false, 1));
    assertThat(directory.find(hash(1)).workspace().id()).isEqualTo("ws_1");
    assertThat(directory.find(hash(2))).isNull(); // only the bytes after the first eight differ
    assertThat(directory.find(hash(1, 1))).isNull();
    byte[] other = hash(1);
    other[0] = 1;
    assertThat(directory.find(other)).isNull();
  }

  /** An override without its namespace once blocked every later change, revoked keys included. */
  @Test
  void invalidRowDoesNotBlockOthers() {
    RootKey broken =
        new RootKey("key_2", "ws_1", "n", "no hash", "tg_", Set.of(), true, false, 0, 2);
    LimitOverride orphan =
        new LimitOverride("rlor_1", "ws_1", "rlns_none", "a*", 1, 1_000, false, 0, 0, 2);
    directory.apply(new CatalogChanges(
        2, List.of(), List.of(broken, key(hash(1), "ws_1", false, 1)), List.of(), List.of(orphan)));
    assertThat(directory.find(hash(1)).workspace().id()).isEqualTo("ws_1");
  }

  @Test
  void revokedKeyIsRejectedAfterLateChanges() {
    apply(key(hash(1), "ws_1", false, 1));
    apply(key(hash(1), "ws_1", true, 3));
    assertThat(directory.find(hash(1))).isNull();
    apply(key(hash(1), "ws_1", false, 2)); // late
    assertThat(directory.find(hash(1))).isNull();
  }

  @Test
  void keyIsRejectedUntilItsWorkspaceIsRead() {
    apply(key(hash(2), "ws_2", false, 1));
    assertThat(directory.find(hash(2))).isNull();
    apply(new Workspace("ws_2", "name", true, null, 2));
    assertThat(directory.find(hash(2)).workspace().enabled()).isTrue();
  }

  @Test
  void newestVersionOfAWorkspaceWins() {
    apply(key(hash(1), "ws_1", false, 1));
    apply(new Workspace("ws_1", "name", false, 5L, 4));
    apply(new Workspace("ws_1", "name", true, null, 3)); // late
    assertThat(workspace().enabled()).isFalse();
    assertThat(workspace().throttle().limit()).isEqualTo(5);
  }

  @Test
  void namespaceIsFoundByNameAndById() {
    apply(key(hash(1), "ws_1", false, 1));
    apply(new Namespace("rlns_1", "ws_1", "login", false, 0, 2));
    assertThat(workspace().namespace("login")).isSameAs(workspace().namespace("rlns_1"));
    assertThat(workspace().namespace("Login")).isNull();
    apply(new Namespace("rlns_2", "ws_2", "theirs", false, 0, 3));
    assertThat(workspace().namespace("theirs")).isNull();
    assertThat(workspace().namespace("rlns_2")).isNull();
    assertThat(workspace().namespaces()).isEqualTo(1);
  }

  @Test
  void restoredNamespaceKeepsItsOverrides() {
    apply(key(hash(1), "ws_1", false, 1));
    apply(new Namespace("rlns_1", "ws_1", "login", false, 0, 2));
    apply(new LimitOverride("rlor_1", "ws_1", "rlns_1", "vip", 5, 60_000, false, 0, 0, 3));
    apply(new Namespace("rlns_1", "ws_1", "login", true, 0, 4));
    apply(new Namespace("rlns_1", "ws_1", "login", false, 0, 3)); // late
    assertThat(workspace().namespace("login").deleted()).isTrue();
    apply(new Namespace("rlns_1", "ws_1", "login", false, 0, 5));
    assertThat(workspace().namespace("login").deleted()).isFalse();
    assertThat(workspace().namespace("login").overrides().find("vip").limit()).isEqualTo(5);
  }

  @Test
  void changedAndDeletedOverrideCountsAsOnePattern() {
    apply(key(hash(1), "ws_1", false, 1));
    apply(new Namespace("rlns_1", "ws_1", "login", false, 0, 2));
    apply(new LimitOverride("rlor_1", "ws_1", "rlns_1", "vip", 5, 60_000, false, 0, 0, 3));
    apply(new LimitOverride("rlor_1", "ws_1", "rlns_1", "vip", 6, 60_000, false, 0, 0, 4));
    apply(new LimitOverride("rlor_1", "ws_1", "rlns_1", "vip", 6, 60_000, true, 0, 0, 5));
    assertThat(workspace().patterns()).isEqualTo(1);
  }
}
