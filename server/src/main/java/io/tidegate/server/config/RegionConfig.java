package io.tidegate.server.config;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Region of the node and the origin of the region.
 *
 * @param name the name of the region
 * @param node the name of the node
 * @param redisUris the Redis of the region, or some nodes of its cluster; empty without an origin
 * @param redisCluster whether the URIs are nodes of a Redis Cluster
 */
public record RegionConfig(String name, String node, List<String> redisUris, boolean redisCluster) {

  /** The width of the column in the global counters. */
  private static final int MAX_REGION_CHARACTERS = 48;

  /** Leaves room for the random suffix that the node appends at each start. */
  private static final int MAX_NODE_CHARACTERS = 200;

  /** Copies the list. */
  public RegionConfig {
    redisUris = List.copyOf(redisUris);
  }

  static RegionConfig read(Settings settings) {
    return new RegionConfig(
        name(settings, Setting.REGION, MAX_REGION_CHARACTERS).orElseThrow(),
        name(settings, Setting.NODE, MAX_NODE_CHARACTERS).orElseGet(RegionConfig::randomNode),
        redisUris(settings),
        settings.isOn(Setting.REDIS_CLUSTER));
  }

  private static Optional<String> name(Settings settings, Setting setting, int maxCharacters) {
    Optional<String> name = settings.text(setting);
    if (name.isPresent() && name.get().codePointCount(0, name.get().length()) > maxCharacters) {
      settings.reject(setting, "must have at most " + maxCharacters + " characters");
    }
    return name;
  }

  private static String randomNode() {
    UUID random = UUID.randomUUID();
    return Long.toUnsignedString(
        random.getMostSignificantBits() ^ random.getLeastSignificantBits(), 36);
  }

  private static List<String> redisUris(Settings settings) {
    List<String> uris =
        settings.text(Setting.REDIS_URI).map(RedisUriSyntax::split).orElse(List.of());
    if (!uris.stream().allMatch(RedisUriSyntax::isValid)) {
      settings.reject(
          Setting.REDIS_URI,
          "must be a URI such as redis://user:password@host:6379 or redis-sentinel://host1:26379,host2:26379/0#mymaster");
    }
    boolean cluster = settings.isOn(Setting.REDIS_CLUSTER);
    if (cluster && !settings.has(Setting.REDIS_URI)) {
      settings.reject(
          Setting.REDIS_CLUSTER, "needs redis-uri with one or more nodes of the cluster");
    }
    if (!cluster && uris.size() > 1) {
      settings.reject(Setting.REDIS_URI, "must be a single URI unless redis-cluster is true");
    }
    if (cluster && uris.stream().anyMatch(RedisUriSyntax::isSentinel)) {
      settings.reject(
          Setting.REDIS_URI, "must list nodes of the cluster and no Sentinels with redis-cluster");
    }
    return uris;
  }

  /** Whether the nodes of the region share their counts through an origin. */
  public boolean hasOrigin() {
    return !redisUris.isEmpty();
  }

  /** The configuration without secrets. */
  @Override
  public String toString() {
    return name + "[node=" + node + ", redis="
        + redisUris.stream().map(SafeText::url).toList() + "]";
  }
}
