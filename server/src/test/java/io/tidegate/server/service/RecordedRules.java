package io.tidegate.server.service;

import java.util.ArrayList;
import java.util.List;

/** Keeps what a service reports about rules, as one line each. */
final class RecordedRules implements RuleObserver {

  private final List<String> lines = new ArrayList<>();

  @Override
  public synchronized void decided(String rule, long hits, long within, long near, long over) {
    lines.add("%s: %d hits, %d within, %d near, %d over".formatted(rule, hits, within, near, over));
  }

  @Override
  public synchronized void shadowed(String rule, long over) {
    lines.add("%s: %d shadowed".formatted(rule, over));
  }

  @Override
  public synchronized void negativeHits(long hits) {
    lines.add(hits + " negative hits");
  }

  @Override
  public synchronized void unknownDomain() {
    lines.add("unknown domain");
  }

  /** The lines since the last call. */
  synchronized List<String> take() {
    List<String> taken = List.copyOf(lines);
    lines.clear();
    return taken;
  }
}
