package io.tidegate.server.console;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The files of the page, from the class path. */
final class ConsoleAssets {

  /** No other path can be read: no slashes, no dots but one. */
  private static final String NAME = "[a-z][a-z0-9-]*\\.(html|css|js|svg)";

  private static final Map<String, String> TYPES = Map.of(
      "html", "text/html; charset=utf-8",
      "css", "text/css; charset=utf-8",
      "js", "text/javascript; charset=utf-8",
      "svg", "image/svg+xml");

  /** A file and its media type. */
  record Asset(String type, Buffer content) {}

  private final Map<String, Asset> read = new ConcurrentHashMap<>();

  /** The file with this name; null if there is none. */
  @Nullable
  Asset find(String name) {
    Asset known = read.get(name);
    if (known != null || !name.matches(NAME)) {
      return known;
    }
    try (InputStream file = ConsoleAssets.class.getResourceAsStream(name)) {
      if (file == null) {
        return null;
      }
      String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
      Asset asset = new Asset(String.valueOf(type), Buffer.buffer(file.readAllBytes()));
      read.put(name, asset);
      return asset;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name + " of the console", e);
    }
  }
}
