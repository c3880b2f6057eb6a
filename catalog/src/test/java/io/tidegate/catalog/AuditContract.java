package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The behaviour of the audit log in every database. */
abstract class AuditContract extends KeysContract {

  /** The statement that shows the plan of a query. */
  abstract String explain();

  @Test
  void auditIsEmptyInitially() throws SQLException {
    assertThat(catalog().audit(0, 10)).isEmpty();
    assertThat(catalog().auditOfWorkspace("ws_none", 0, 10)).isEmpty();
  }

  @Test
  void auditNamesTheRowsThatExist() throws SQLException {
    Workspace workspace = workspace();
    RootKey key = catalog().createKey(workspace.id(), "ci", ALL).key();
    Namespace namespace = catalog().createNamespace(workspace.id(), "login", key.id());
    LimitOverride override = catalog().setOverride(namespace.id(), "user_*", 1, 1_000, "key_none");
    List<AuditEntry> entries = catalog().audit(0, 10);
    assertThat(entries)
        .allMatch(entry -> Math.abs(entry.atMillis() - System.currentTimeMillis()) < 60_000)
        .map(entry -> new AuditEntry(
            0,
            entry.workspaceId(),
            entry.event(),
            entry.actor(),
            entry.actorName(),
            entry.target(),
            entry.targetName(),
            entry.targetNamespace(),
            entry.version()))
        .containsExactly(
            new AuditEntry(
                0,
                workspace.id(),
                "ratelimit.set_override",
                "key_none",
                null,
                override.id(),
                "user_*",
                "login",
                4),
            new AuditEntry(
                0,
                workspace.id(),
                "ratelimitNamespace.create",
                key.id(),
                "ci",
                namespace.id(),
                "login",
                null,
                3),
            new AuditEntry(
                0, workspace.id(), "key.create", "operator", null, key.id(), "ci", null, 2),
            new AuditEntry(
                0,
                workspace.id(),
                "workspace.create",
                "operator",
                null,
                workspace.id(),
                "acme",
                null,
                1));
  }

  @Test
  void auditNamesDeletedRows() throws SQLException {
    Namespace namespace = namespace();
    catalog().setOverride(namespace.id(), "user_1", 1, 1_000, "key_1");
    catalog().deleteOverride(namespace.id(), "user_1", "key_1");
    catalog().deleteNamespace(namespace.id(), "key_1");
    assertThat(catalog().audit(0, 2))
        .extracting(AuditEntry::event, AuditEntry::targetName, AuditEntry::targetNamespace)
        .containsExactly(
            tuple("ratelimitNamespace.delete", "login", null),
            tuple("ratelimit.delete_override", "user_1", "login"));
  }

  @Test
  void auditHasTheNewestEntriesOnly() throws SQLException {
    Namespace namespace = namespace();
    for (int i = 0; i < 5; i++) {
      catalog().setOverride(namespace.id(), "user_" + i, 1, 1_000, "key_1");
    }
    assertThat(catalog().audit(0, 3))
        .extracting(AuditEntry::targetName)
        .containsExactly("user_4", "user_3", "user_2");
    assertThat(catalog().auditOfWorkspace(namespace.workspaceId(), 0, 3))
        .isEqualTo(catalog().audit(0, 3));
  }

  @Test
  void auditHasTheLaterOfTwoEntriesOfOneEditFirst() throws SQLException {
    Optional<NewRootKey> first = catalog().createFirst(ALL);
    String workspace = first.orElseThrow().key().workspaceId();
    for (List<AuditEntry> entries :
        List.of(catalog().audit(0, 10), catalog().auditOfWorkspace(workspace, 0, 10))) {
      assertThat(entries)
          .extracting(AuditEntry::event)
          .containsExactly("key.create", "workspace.create");
    }
  }

  @Test
  void auditOfAWorkspaceHasNoEntriesOfOthers() throws SQLException {
    Namespace one = namespace();
    Namespace two = namespace();
    catalog().setOverride(one.id(), "user_1", 1, 1_000, "key_1");
    catalog().setOverride(two.id(), "user_2", 1, 1_000, "key_1");
    assertThat(catalog().auditOfWorkspace(one.workspaceId(), 0, 10))
        .hasSize(3)
        .allMatch(entry -> entry.workspaceId().equals(one.workspaceId()))
        .first()
        .extracting(AuditEntry::targetName)
        .isEqualTo("user_1");
    assertThat(catalog().audit(0, 10)).hasSize(6);
  }

  @Test
  void auditBeginsAtAGivenTime() throws SQLException {
    Workspace early = workspace();
    long earlyMillis = catalog().audit(0, 1).get(0).atMillis();
    while (System.currentTimeMillis() <= earlyMillis) {
      Thread.onSpinWait();
    }
    catalog().disableWorkspace(early.id());
    long lateMillis = catalog().audit(0, 1).get(0).atMillis();
    assertThat(eventsSince(early, earlyMillis))
        .containsExactly("workspace.update", "workspace.create");
    assertThat(eventsSince(early, earlyMillis + 1)).containsExactly("workspace.update");
    assertThat(eventsSince(early, lateMillis)).containsExactly("workspace.update");
    assertThat(eventsSince(early, lateMillis + 1)).isEmpty();
  }

  private List<String> eventsSince(Workspace workspace, long sinceMillis) throws SQLException {
    List<AuditEntry> entries = catalog().auditOfWorkspace(workspace.id(), sinceMillis, 10);
    assertThat(catalog().audit(sinceMillis, 10)).isEqualTo(entries);
    return entries.stream().map(AuditEntry::event).toList();
  }

  @Test
  void auditOfAWorkspaceReadsTheIndexInItsOrder() throws SQLException {
    Workspace workspace = workspace();
    assertThat(plan(AuditLog.NEWEST_OF_WORKSPACE, "'" + workspace.id() + "'", "0", "50"))
        .contains("audit_log_workspace")
        .doesNotContainIgnoringCase("filesort")
        .doesNotContain("TEMP B-TREE");
  }

  @Test
  void auditOfAllWorkspacesReadsTheIndexInsteadOfTheRows() throws SQLException {
    workspace();
    assertThat(plan(AuditLog.NEWEST, "0", "50")).contains("audit_log_workspace");
  }

  private String plan(String sql, String... values) {
    String filled = sql;
    for (String value : values) {
      filled = filled.replaceFirst("\\?", value);
    }
    return query(explain() + " " + filled).toString();
  }
}
