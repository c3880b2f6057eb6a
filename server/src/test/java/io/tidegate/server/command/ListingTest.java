package io.tidegate.server.command;

import static org.assertj.core.api.Assertions.assertThat;

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

  @Test
  void keysAreAlignedAndHaveTheirPermissionsInLines() {
    assertThat(print(KeysCommand.listing(), List.of(KEY, OTHER, REVOKED), false))
        .isEqualTo("""
            ID             START       NAME                      WORKSPACE     STATE     PERMISSIONS
            key_123456789  tg_1234...  ci                        ws_123456789  enabled   all
            key_2          tg_2222...  a name that is much l...  ws_2          disabled  ratelimit.*.limit
                                                                                         ratelimit.rlns_1.set_override
            key_3          tg_3333...  old                       ws_2          revoked
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
