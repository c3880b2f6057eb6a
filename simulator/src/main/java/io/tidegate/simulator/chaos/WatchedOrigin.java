package io.tidegate.simulator.chaos;

import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.RefusedException;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * An origin of which the referee hears all that is said to it and by it, and of which a part may be
 * gone.
 */
record WatchedOrigin(
    Node node, Referee referee, Faults faults, boolean crowded, RegionalOrigin origin)
    implements RegionalOrigin {

  @Override
  public CompletionStage<List<RegionalCount>> read(Writer writer, List<WindowCell> cells) {
    if (faults.isPartGone(node, cells.get(0))) {
      return gone();
    }
    int life = referee.knowledge(node).life(cells.get(0).series());
    return origin.read(writer, cells).thenApply(counts -> {
      for (int i = 0; i < counts.size(); i++) {
        referee.hearsPeers(node, cells.get(i), counts.get(i).peers(), life);
      }
      return counts;
    });
  }

  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    counts.forEach(count -> referee.replays(node, count));
    List<OwnCount> there =
        counts.stream().filter(count -> !faults.isPartGone(node, count.cell())).toList();
    List<CompletionStage<RegionalCount>> told = there.isEmpty() ? List.of() : origin.replay(there);
    List<CompletionStage<RegionalCount>> answers = new ArrayList<>();
    int next = 0;
    for (OwnCount count : counts) {
      boolean isThere = next < there.size() && there.get(next) == count;
      answers.add(isThere ? heard(count.cell(), told.get(next++)) : gone());
    }
    return answers;
  }

  /** Where not all series have room, it may be of one that was evicted: then nobody hears it. */
  private CompletionStage<RegionalCount> heard(
      WindowCell cell, CompletionStage<RegionalCount> answer) {
    int life = referee.knowledge(node).life(cell.series());
    return crowded
        ? answer
        : answer.thenApply(before -> {
          referee.hearsPeers(node, cell, before.peers(), life);
          return before;
        });
  }

  private static <T> CompletionStage<T> gone() {
    return CompletableFuture.failedFuture(new RefusedException("a part is gone"));
  }

  @Override
  public void close() {
    origin.close();
  }
}
