package io.tidegate.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The code blocks of {@code docs/gateways.md}, by the name that follows their language. */
final class GatewaysPage {

  private static final Path PAGE = Path.of("..", "docs", "gateways.md");

  private GatewaysPage() {}

  /** The text of a block, such as {@code envoy.yaml}. */
  static String block(String name) {
    try {
      Matcher block = Pattern.compile("(?ms)^```[a-z]+ " + Pattern.quote(name) + "\\n(.*?)^```$")
          .matcher(Files.readString(PAGE));
      if (!block.find()) {
        throw new AssertionError("no block " + name + " in " + PAGE);
      }
      return block.group(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
