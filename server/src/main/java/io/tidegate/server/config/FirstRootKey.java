package io.tidegate.server.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the first root key, which is given as a setting or in a file. */
final class FirstRootKey {

  /** The characters fit into an Authorization header; a shorter key could be guessed. */
  private static final String VALID = "[A-Za-z0-9._~+/=-]{20,200}";

  private static final String RULE = "20 to 200 characters: letters, digits and . _ ~ + / = -";

  private FirstRootKey() {}

  static @Nullable String read(Settings settings) {
    if (settings.has(Setting.FIRST_ROOT_KEY) && settings.has(Setting.FIRST_ROOT_KEY_FILE)) {
      settings.reject(Setting.FIRST_ROOT_KEY_FILE, "cannot be combined with first-root-key");
    }
    return settings
        .value(Setting.FIRST_ROOT_KEY, key -> check(key, "must have " + RULE))
        .or(() -> settings.file(Setting.FIRST_ROOT_KEY_FILE, FirstRootKey::content))
        .orElse(null);
  }

  private static String content(Path file) {
    byte[] content = TlsCredentials.content(file);
    if (content == null) {
      throw new IllegalArgumentException("must be a readable file");
    }
    String text = new String(content, StandardCharsets.UTF_8);
    return check(text.replaceFirst("\\R\\z", ""), "must be a file with a key of " + RULE);
  }

  private static String check(String key, String rule) {
    if (!key.matches(VALID)) {
      throw new IllegalArgumentException(rule);
    }
    return key;
  }
}
