package io.tidegate.testkit;

import java.nio.file.Path;
import java.util.Optional;

/** Finds the redis-server to run. */
final class RedisBinary {

  /** As the jar names it; the version keeps what an older jar left in the cache from being used. */
  private static final String PREFIX = "redis-server-7.0.15-";

  private RedisBinary() {}

  static Path find() {
    return Binaries.find("tidegate.redis.binary", RedisBinary::unpacked, "redis-server");
  }

  private static Optional<Path> unpacked() {
    String name = PREFIX + Binaries.platform();
    return Optional.ofNullable(RedisBinary.class.getResource("/" + name))
        .map(packed -> Cache.get(name, target -> Cache.unpack("/" + name, target)));
  }
}
