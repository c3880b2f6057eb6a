package io.tidegate.server.service;

import java.util.List;

/**
 * The decisions on a batch.
 *
 * @param allowed whether every entry was allowed; if not, none was charged
 * @param entries one decision per entry, in the order of the request
 */
public record BatchResult(boolean allowed, List<EntryDecision> entries) {

  public BatchResult {
    entries = List.copyOf(entries);
  }
}
