package io.tidegate.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.AuditEntry;
import io.tidegate.catalog.LimitOverride;
import io.tidegate.catalog.Namespace;
import io.tidegate.catalog.RootKey;
import io.tidegate.catalog.Workspace;
import io.tidegate.server.catalog.Permissions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ListingTest {

  private static final RootKey KEY = new RootKey(
      "key_123456789",
      "ws_123456789",
      "ci",
      "abcdef",
      "tg_1234",
      Permissions.all(),
      true,
      false,
      0,
      1);
  private static final RootKey OTHER = new RootKey(
      "key_2",
      "ws_2",
      "a name that is much longer than a column\nis",
      "abcdef",
      "tg_2222",
      Set.of("ratelimit.*.limit", "ratelimit.rlns_1.set_override"),
      false,
      false,
      0,
      2);
  private static final RootKey REVOKED =
      new RootKey("key_3", "ws_2", "old", "abcdef", "tg_3333", Set.of(), true, true, 0, 3);

  private static final List<AuditEntry> AUDIT = List.of(
      new AuditEntry(
          61_234,
          "ws_1",
          "ratelimit.delete_override",
          "key_1",
          "ci",
          "rlor_1",
          "user_*\n1970-01-01T00:00:00Z",
          "log\u202ein",
          9),
      new AuditEntry(
          0, "ws_1", "ratelimitNamespace.restore", "operator", null, "rlns_1", null, null, 8));

  @Test
  void keysAreAlignedAndHaveTheirPermissionsInLines() {
    assertThat(print(KeysCommand.listing(), List.of(KEY, OTHER, REVOKED), false))
        .isEqualTo("""
            ID             START       NAME                        WORKSPACE     STATE     PERMISSIONS
            key_123456789  tg_1234...  ci                          ws_123456789  enabled   all
            key_2          tg_2222...  a name that is much lon...  ws_2          disabled  ratelimit.*.limit
                                                                                           ratelimit.rlns_1.set_override
            key_3          tg_3333...  old                         ws_2          revoked
            """);
  }

  @Test
  void keysAreJsonWithoutTheirHash() {
    assertThat(print(KeysCommand.listing(), List.of(OTHER), true))
        .isEqualToNormalizingWhitespace("""
            [ {
              "id" : "key_2",
              "start" : "tg_2222",
              "name" : "a name that is much longer than a column\\nis",
              "workspace" : "ws_2",
              "state" : "disabled",
              "createdAt" : "1970-01-01T00:00:00Z",
              "permissions" : [ "ratelimit.*.limit", "ratelimit.rlns_1.set_override" ]
            } ]
            """);
  }

  @Test
  void workspacesShowTheirRequestsPerMinute() {
    List<Workspace> workspaces = List.of(
        new Workspace("ws_1", "acme", true, null, 1), new Workspace("ws_2", "b", false, 60L, 2));
    assertThat(print(WorkspacesCommand.listing(), workspaces, false)).isEqualTo("""
            ID    NAME  STATE     REQUESTS PER MINUTE
            ws_1  acme  enabled   unlimited
            ws_2  b     disabled  60
            """);
    assertThat(print(WorkspacesCommand.listing(), workspaces, true))
        .contains("\"requestsPerMinute\" : null", "\"requestsPerMinute\" : 60")
        .doesNotContain("requests per minute");
  }

  @Test
  void namespacesHaveTheirNameLastAndWhole() {
    String name = "n".repeat(60);
    assertThat(print(
            NamespacesCommand.listing(),
            List.of(new Namespace("rlns_1", "ws_1", name, true, 0, 1)),
            false))
        .isEqualTo("ID      WORKSPACE  STATE    NAME\nrlns_1  ws_1       deleted  " + name + "\n");
  }

  @Test
  void lineBreakInANameDoesNotStartARow() {
    assertThat(print(
            NamespacesCommand.listing(),
            List.of(new Namespace("rlns_1", "ws_1", "a\nrlns_2\r\u001b[2J", false, 0, 1)),
            false))
        .isEqualTo("ID      WORKSPACE  STATE   NAME\n"
            + "rlns_1  ws_1       active  a\\nrlns_2\\r\\u001b[2J\n");
  }

  @Test
  void overridesHaveTheirIdentifierLastAndWhole() {
    List<LimitOverride> overrides = List.of(
        new LimitOverride("rlor_1", "ws_1", "rlns_1", "user_*", 1_000, 60_000, false, 0, 1_000, 3),
        new LimitOverride(
            "rlor_2", "ws_1", "rlns_1", "x".repeat(60), 0, 2_592_000_000L, false, 0, 0, 4));
    assertThat(print(OverridesCommand.listing(), overrides, false))
        .isEqualTo("""
            ID      LIMIT  DURATION  IDENTIFIER
            rlor_1  1000   1m        user_*
            rlor_2  0      720h      %s
            """.formatted("x".repeat(60)));
    assertThat(print(OverridesCommand.listing(), overrides.subList(0, 1), true))
        .isEqualToNormalizingWhitespace("""
            [ {
              "id" : "rlor_1",
              "limit" : 1000,
              "durationMillis" : 60000,
              "createdAt" : "1970-01-01T00:00:00Z",
              "updatedAt" : "1970-01-01T00:00:01Z",
              "identifier" : "user_*"
            } ]
            """);
  }

  @Test
  void auditShowsWholeEventsAndEscapesNames() {
    assertThat(print(AuditCommand.listing(), AUDIT, false)).isEqualTo("""
            TIME                  EVENT                       ACTOR       TARGET  WORKSPACE  NAME
            1970-01-01T00:01:01Z  ratelimit.delete_override   key_1 (ci)  rlor_1  ws_1       user_*\\n1970-01-01T00:00:00Z in namespace log\\u202ein
            1970-01-01T00:00:00Z  ratelimitNamespace.restore  operator    rlns_1  ws_1
            """);
  }

  @Test
  void auditIsJsonWithMilliseconds() {
    assertThat(print(AuditCommand.listing(), AUDIT, true)).isEqualToNormalizingWhitespace("""
            [ {
              "time" : "1970-01-01T00:01:01.234Z",
              "event" : "ratelimit.delete_override",
              "actor" : "key_1",
              "actorName" : "ci",
              "target" : "rlor_1",
              "workspace" : "ws_1",
              "namespace" : "log\u202ein",
              "name" : "user_*\\n1970-01-01T00:00:00Z"
            }, {
              "time" : "1970-01-01T00:00:00Z",
              "event" : "ratelimitNamespace.restore",
              "actor" : "operator",
              "actorName" : null,
              "target" : "rlns_1",
              "workspace" : "ws_1",
              "namespace" : null,
              "name" : null
            } ]
            """);
  }

  @Test
  void emptyListIsAHeadingOrAnEmptyArray() {
    assertThat(print(WorkspacesCommand.listing(), List.of(), false))
        .isEqualTo("ID  NAME  STATE  REQUESTS PER MINUTE\n");
    assertThat(print(WorkspacesCommand.listing(), List.of(), true)).isEqualTo("[ ]\n");
  }

  private static <T> String print(Listing<T> listing, List<T> items, boolean json) {
    StringWriter text = new StringWriter();
    listing.print(items, json, new PrintWriter(text));
    return text.toString().replace(System.lineSeparator(), "\n");
  }
}
