package io.tidegate.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceNameTest {

  private static boolean covers(String permission) {
    ResourceName name = ResourceName.parse(permission);
    assertThat(name).as(permission).isNotNull();
    return name.covers(
        Action.READ_OVERRIDE, "ws_1", "ratelimits", "namespaces", "rlns_1", "overrides", "rlor_1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unkey:v1:ws_1:ratelimits/namespaces/rlns_1/overrides/rlor_1#read_override",
        "unkey:v1:*:ratelimits/namespaces/rlns_1/overrides/rlor_1#read_override",
        "unkey:v1:ws_1:ratelimits/namespaces/*/overrides/*#read_override",
        "unkey:v1:ws_1:ratelimits/namespaces/rlns_1/**#read_override",
        "unkey:v1:ws_1:ratelimits/namespaces/rlns_1/overrides/**#*",
        "unkey:v1:ws_1:*/*/*/*/*#*",
        "unkey:v1:ws_1:**#*"
      })
  void coversTheNamedOverride(String permission) {
    assertThat(covers(permission)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unkey:v1:ws_2:ratelimits/namespaces/rlns_1/overrides/rlor_1#read_override",
        "unkey:v1:ws_:**#*",
        "unkey:v1:ws_11:**#*",
        "unkey:v1:w*:**#*",
        "unkey:v1::**#*",
        "unkey:v1:ws_1:ratelimits/namespaces/rlns_2/overrides/rlor_1#read_override",
        "unkey:v1:ws_1:ratelimits/namespaces/rlns_*/overrides/rlor_1#read_override",
        "unkey:v1:ws_1:ratelimits/namespaces/rlns_1/overrides/rlor_1#set_override",
        "unkey:v1:ws_1:ratelimits/namespaces/rlns_1/overrides/rlor_1#READ_OVERRIDE",
        "unkey:v1:ws_1:ratelimits/namespaces/rlns_1/overrides/rlor_1#",
        "unkey:v1:ws_1:ratelimits/namespaces/rlns_1/overrides/rlor_1/**#*",
        "unkey:v1:ws_1:ratelimits/namespaces/rlns_1/overrides/rlor_1/*#*",
        "unkey:v1:ws_1:ratelimits/namespaces/rlns_1/overrides#*",
        "unkey:v1:ws_1:ratelimits/*#*",
        "unkey:v1:ws_1:*#*",
        "unkey:v1:ws_1:***#*",
        "unkey:v1:ws_1:apis/**#*"
      })
  void coversNothingElse(String permission) {
    assertThat(covers(permission)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unkey:v1:",
        "unkey:v1:ws_1",
        "unkey:v1:ws_1:",
        "unkey:v1:ws_1:#*",
        "unkey:v1:ws_1:**",
        "unkey:v1#x:**",
        "unkey:v2:ws_1:**#*",
        "UNKEY:v1:ws_1:**#*",
        "unkey:v1:ws_1:**/overrides/*#*",
        "unkey:v1:ws_1:ratelimits//namespaces#*",
        "unkey:v1:ws_1:/ratelimits#*",
        "unkey:v1:ws_1:ratelimits/#*",
        "ratelimit.*.limit"
      })
  void otherFormsAreNotParsed(String permission) {
    assertThat(ResourceName.parse(permission)).isNull();
  }
}
