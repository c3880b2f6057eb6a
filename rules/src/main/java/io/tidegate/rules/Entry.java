package io.tidegate.rules;

import java.util.Objects;

/**
 * One key and value of a descriptor, which describes a request: {@code new Entry("remote_address",
 * "1.2.3.4")}.
 *
 * @param key what the value is, such as {@code generic_key} or {@code remote_address}
 * @param value the value; may be empty
 */
public record Entry(String key, String value) {

  /** Rejects null. */
  public Entry {
    Objects.requireNonNull(key, "key must not be null");
    Objects.requireNonNull(value, "value must not be null");
  }

  @Override
  public String toString() {
    return key + "=" + value;
  }
}
