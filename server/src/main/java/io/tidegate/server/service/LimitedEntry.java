package io.tidegate.server.service;

/**
 * An entry with the limit that it asks for.
 *
 * @param entry the entry as the caller sent it
 * @param limit tokens per window
 * @param durationMillis the length of the window
 * @param shadow whether the limit counts but never denies
 */
record LimitedEntry(LimitEntry entry, long limit, long durationMillis, boolean shadow) {

  String namespace() {
    return entry.namespace();
  }

  String identifier() {
    return entry.identifier();
  }
}
