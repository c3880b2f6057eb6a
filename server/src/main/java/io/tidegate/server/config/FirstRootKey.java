package io.tidegate.server.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the first root key, which is given as a setting or in a file. */
final class FirstRootKey {

  private FirstRootKey() {}

  static @Nullable String read(Settings settings) {
    if (settings.has(Setting.FIRST_ROOT_KEY) && settings.has(Setting.FIRST_ROOT_KEY_FILE)) {
      settings.reject(Setting.FIRST_ROOT_KEY_FILE, "cannot be combined with first-root-key");
    }
    return settings
        .value(Setting.FIRST_ROOT_KEY, key -> SecretSyntax.check(key, "must have "))
        .or(() -> settings.file(Setting.FIRST_ROOT_KEY_FILE, FirstRootKey::content))
        .orElse(null);
  }

  private static String content(Path file) {
    byte[] content = TlsCredentials.content(file);
    if (content == null) {
      throw new IllegalArgumentException("must be a readable file");
    }
    String text = new String(content, StandardCharsets.UTF_8);
    return SecretSyntax.check(text.replaceFirst("\\R\\z", ""), "must be a file with a key of ");
  }
}
