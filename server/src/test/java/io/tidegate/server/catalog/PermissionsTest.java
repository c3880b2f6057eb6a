package io.tidegate.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PermissionsTest {

  private static Permissions of(String... texts) {
    return new Permissions(List.of(texts));
  }

  @Test
  void starPermitsAllNamespaces() {
    Permissions permissions = of("ratelimit.*.limit");
    assertThat(permissions.allow(Action.LIMIT)).isTrue();
    assertThat(permissions.allow(Action.LIMIT, "rlns_1")).isTrue();
    assertThat(permissions.allow(Action.SET_OVERRIDE, "rlns_1")).isFalse();
  }

  @Test
  void idPermitsOneNamespace() {
    Permissions permissions = of("ratelimit.rlns_1.limit", "ratelimit.rlns_1.set_override");
    assertThat(permissions.allow(Action.LIMIT, "rlns_1")).isTrue();
    assertThat(permissions.allow(Action.SET_OVERRIDE, "rlns_1")).isTrue();
    assertThat(permissions.allow(Action.LIMIT, "rlns_2")).isFalse();
    assertThat(permissions.allow(Action.LIMIT, "rlns_11")).isFalse();
    assertThat(permissions.allow(Action.LIMIT)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*",
        "ratelimit",
        "ratelimit.",
        "ratelimit.limit",
        "ratelimit..limit",
        "ratelimit.*",
        "ratelimit.*.",
        "ratelimit.*.*",
        "ratelimit.*.LIMIT",
        "ratelimit.*.limit ",
        " ratelimit.*.limit",
        "ratelimit.**.limit",
        "ratelimit.rlns_*.limit",
        "ratelimit.*.limit.x",
        "api.*.limit",
        "unkey:v1:*:**#limit"
      })
  void invalidTextPermitsNothing(String text) {
    Permissions permissions = of(text);
    for (Action action : Action.values()) {
      assertThat(permissions.allow(action)).isFalse();
      assertThat(permissions.allow(action, "rlns_1")).isFalse();
    }
  }

  @Test
  void resourceNamePermitsOneOverride() {
    Permissions permissions =
        of("unkey:v1:ws_1:ratelimits/namespaces/rlns_1/overrides/rlor_1#read_override");
    assertThat(permissions.allow(Action.READ_OVERRIDE, "ws_1", "rlns_1", "rlor_1"))
        .isTrue();
    assertThat(permissions.allow(Action.READ_OVERRIDE, "ws_1", "rlns_1", "rlor_2"))
        .isFalse();
    assertThat(permissions.allow(Action.READ_OVERRIDE, "ws_1", "rlns_2", "rlor_1"))
        .isFalse();
    assertThat(permissions.allow(Action.READ_OVERRIDE, "ws_2", "rlns_1", "rlor_1"))
        .isFalse();
    assertThat(permissions.allow(Action.DELETE_OVERRIDE, "ws_1", "rlns_1", "rlor_1"))
        .isFalse();
    assertThat(permissions.allow(Action.READ_OVERRIDE, "rlns_1")).isFalse();
  }

  @Test
  void permissionOfANamespaceCoversItsOverrides() {
    assertThat(of("ratelimit.rlns_1.read_override")
            .allow(Action.READ_OVERRIDE, "ws_1", "rlns_1", "rlor_1"))
        .isTrue();
    assertThat(of("ratelimit.rlns_2.read_override")
            .allow(Action.READ_OVERRIDE, "ws_1", "rlns_1", "rlor_1"))
        .isFalse();
  }

  @Test
  void allPermitsEveryAction() {
    Permissions all = new Permissions(Permissions.all());
    for (Action action : Action.values()) {
      assertThat(all.allow(action)).isTrue();
    }
  }

  /** Clients of the API depend on these words. */
  @Test
  void allListsEveryPermission() {
    assertThat(Permissions.all())
        .containsExactly(
            "ratelimit.*.create_namespace",
            "ratelimit.*.delete_override",
            "ratelimit.*.limit",
            "ratelimit.*.read_override",
            "ratelimit.*.set_override");
  }

  @Test
  void textsAreWrittenAsTheyAreParsed() {
    assertThat(Permissions.text(Action.LIMIT)).isEqualTo("ratelimit.*.limit");
    assertThat(Permissions.text(Action.SET_OVERRIDE, "rlns_1"))
        .isEqualTo("ratelimit.rlns_1.set_override");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ratelimit.*.limits",
        "ratelimit.*.limit.more",
        "my.ratelimit.*.limit",
        "ratelimit.*.limit ",
        "unkey:v1:ws_1:**#*#*",
      })
  void textWithMoreThanAPermissionIsRejected(String text) {
    assertThatThrownBy(() -> Permissions.check(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(": " + text);
  }
}
