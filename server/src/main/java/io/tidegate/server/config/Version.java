package io.tidegate.server.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version of this build. */
public final class Version {

  /** Such as {@code 0.1.0}, from a resource that the build writes. */
  public static final String TEXT = read();

  private Version() {}

  private static String read() {
    try (InputStream resource =
        Version.class.getResourceAsStream("/io/tidegate/server/version.txt")) {
      if (resource == null) {
        throw new IllegalStateException("the resource version.txt is missing from this build");
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
