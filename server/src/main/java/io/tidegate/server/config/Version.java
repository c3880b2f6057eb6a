package io.tidegate.server.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The version of this build, from a resource that the build writes. */
public final class Version {

  private static final List<String> LINES = read();

  /** Such as {@code 0.1.0}. */
  public static final String TEXT = LINES.get(0);

  /**
   * The first 12 digits of the commit, followed by {@code -dirty} if files were changed since;
   * {@code unknown} for a build outside of a checkout.
   */
  public static final String COMMIT = LINES.get(1);

  private Version() {}

  private static List<String> read() {
    try (InputStream resource =
        Version.class.getResourceAsStream("/io/tidegate/server/version.txt")) {
      if (resource == null) {
        throw new IllegalStateException("the resource version.txt is missing from this build");
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
