/**
 * Settings of the server and of the commands that edit the catalog.
 *
 * <p>{@link io.tidegate.server.config.Setting} lists all settings with their defaults and help
 * texts. {@link io.tidegate.server.config.Settings} collects their values from flags, environment
 * variables and a YAML file. A record for each concern, such as
 * {@link io.tidegate.server.config.ListenConfig}, parses and checks its settings, and
 * {@link io.tidegate.server.config.ServerConfig} has one of each. A new setting is a constant of
 * {@code Setting} and a component of one of these records.
 *
 * <p>Nothing else reads configuration, and nothing here connects to a server. Reading happens once,
 * at the start, on one thread; the records are immutable. Problems are collected and reported
 * together. Messages never show secrets: {@link io.tidegate.server.config.SafeText}.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.config;
