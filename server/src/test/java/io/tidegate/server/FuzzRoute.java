package io.tidegate.server;

import java.util.List;
import java.util.Map;

/** The rules for the body of each route, written from the documentation and not from the code. */
enum FuzzRoute {
  LIMIT(
      false,
      text("namespace", true),
      text("identifier", true),
      number("limit", true, 1, 1_000_000_000_000L),
      number("duration", true, 1_000, 2_592_000_000L),
      number("cost", false, 0, 1_000_000_000_000L)),
  MULTI_LIMIT(true, LIMIT.properties.toArray(Property[]::new)),
  LIMIT_BY_RULE(
      false,
      text("namespace", true),
      text("identifier", true),
      text("rule", true),
      number("cost", false, 0, 1_000_000_000_000L)),
  SET_OVERRIDE(
      false,
      text("namespace", true),
      text("identifier", true),
      number("limit", true, 0, 1_000_000_000_000L),
      number("duration", true, 1_000, 366L * 24 * 60 * 60 * 1_000)),
  GET_OVERRIDE(false, text("namespace", true), text("identifier", true)),
  LIST_OVERRIDES(
      false,
      text("namespace", true),
      new Property("cursor", false, true, 0, 512),
      number("limit", false, 1, 100)),
  DELETE_OVERRIDE(false, text("namespace", true), text("identifier", true));

  private static final int MAX_ENTRIES = 100;

  /** A property, with the bounds of its number or of the length of its text. */
  record Property(String name, boolean required, boolean isText, long least, long most) {

    private boolean isValid(Object value) {
      if (isText) {
        return value instanceof String text
            && text.codePoints().count() >= least
            && text.codePoints().count() <= most
            && text.codePoints().noneMatch(c -> c >= 0xd800 && c <= 0xdfff);
      }
      return value instanceof Long number && number >= least && number <= most;
    }
  }

  private final boolean isArray;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<Property> properties;

  FuzzRoute(boolean isArray, Property... properties) {
    this.isArray = isArray;
    this.properties = List.of(properties);
  }

  private static Property text(String name, boolean required) {
    return new Property(name, required, true, 1, 512);
  }

  private static Property number(String name, boolean required, long least, long most) {
    return new Property(name, required, false, least, most);
  }

  boolean isArray() {
    return isArray;
  }

  List<Property> properties() {
    return properties;
  }

  String path() {
    return switch (this) {
      case LIMIT, LIMIT_BY_RULE -> "/v2/ratelimit.limit";
      case MULTI_LIMIT -> "/v2/ratelimit.multiLimit";
      case SET_OVERRIDE -> "/v2/ratelimit.setOverride";
      case GET_OVERRIDE -> "/v2/ratelimit.getOverride";
      case LIST_OVERRIDES -> "/v2/ratelimit.listOverrides";
      case DELETE_OVERRIDE -> "/v2/ratelimit.deleteOverride";
    };
  }

  /** Whether this route must accept the body. */
  boolean isValid(byte[] body) {
    try {
      Object value = FuzzJson.parse(body);
      if (!isArray) {
        return isValidObject(value);
      }
      return value instanceof List<?> entries
          && !entries.isEmpty()
          && entries.size() <= MAX_ENTRIES
          && entries.stream().allMatch(this::isValidObject);
    } catch (FuzzJson.Malformed e) {
      return false;
    }
  }

  private boolean isValidObject(Object value) {
    if (!(value instanceof Map<?, ?> object)) {
      return false;
    }
    long documented = properties.stream()
        .filter(property -> object.containsKey(property.name()))
        .count();
    return documented == object.size()
        && properties.stream()
            .allMatch(property -> object.containsKey(property.name())
                ? property.isValid(object.get(property.name()))
                : !property.required());
  }
}
