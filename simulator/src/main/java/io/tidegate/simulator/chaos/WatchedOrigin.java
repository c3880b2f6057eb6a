package io.tidegate.simulator.chaos;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** An origin that reports every message to the referee, and throws while a fault says so. */
record WatchedOrigin(
    Node node, Referee referee, FaultInjector faults, boolean crowded, RegionalOrigin origin)
    implements RegionalOrigin {

  @Override
  public CompletionStage<List<RegionalCount>> read(Writer writer, List<WindowCell> cells) {
    if (faults.originClientThrows(node)) {
      if (faults.choice(3) == 0) {
        return CompletableFuture.failedFuture(faults.failure());
      }
      faults.fail();
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
    boolean fails = faults.originClientThrows(node);
    int choice = fails ? faults.choice(3) : 0;
    if (fails && choice == 0) {
      faults.fail();
    }
    List<CompletionStage<RegionalCount>> sent = origin.replay(counts);
    if (fails && choice == 1) {
      faults.fail(); // when all has been sent
    }
    List<CompletionStage<RegionalCount>> answers = new ArrayList<>();
    for (int i = 0; i < counts.size(); i++) {
      answers.add(
          fails && faults.choice(2) == 0
              ? CompletableFuture.failedFuture(faults.failure())
              : heard(counts.get(i).cell(), sent.get(i)));
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

  @Override
  public String part(String region, Series series) {
    return origin.part(region, series);
  }

  @Override
  public void close() {
    origin.close();
  }
}
