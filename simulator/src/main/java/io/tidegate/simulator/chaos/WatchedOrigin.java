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

/** Reports all messages to and from an origin to the checks, and throws as faults require. */
record WatchedOrigin(
    Node node,
    Referee referee,
    MessageCheck messageCheck,
    FaultInjector faults,
    boolean crowded,
    RegionalOrigin origin)
    implements RegionalOrigin {

  @Override
  public CompletionStage<List<RegionalCount>> read(Writer writer, List<WindowCell> cells) {
    if (throwsNow()) {
      if (faults.choice(3) == 0) {
        return CompletableFuture.failedFuture(faults.failure());
      }
      faults.fail();
    }
    int incarnation = referee.model(node).incarnation(cells.get(0).series());
    return origin.read(writer, cells).thenApply(counts -> {
      for (int i = 0; i < counts.size(); i++) {
        referee.receivedPeers(node, cells.get(i), counts.get(i).peers(), incarnation);
      }
      return counts;
    });
  }

  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    counts.forEach(count -> messageCheck.replays(node, count));
    boolean fails = throwsNow();
    int choice = fails ? faults.choice(3) : 0;
    if (fails && choice == 0) {
      faults.fail();
    }
    List<CompletionStage<RegionalCount>> sent = origin.replay(counts);
    if (fails && choice == 1) {
      faults.fail(); // after everything was sent
    }
    List<CompletionStage<RegionalCount>> answers = new ArrayList<>();
    for (int i = 0; i < counts.size(); i++) {
      answers.add(
          fails && faults.choice(2) == 0
              ? CompletableFuture.failedFuture(faults.failure())
              : watched(counts.get(i).cell(), sent.get(i)));
    }
    return answers;
  }

  private boolean throwsNow() {
    return faults.throwsNow(FaultKind.ORIGIN_CLIENT_THROWS, node);
  }

  /** In a crowded node the answer may belong to an evicted series, and then has no effect. */
  private CompletionStage<RegionalCount> watched(
      WindowCell cell, CompletionStage<RegionalCount> answer) {
    int incarnation = referee.model(node).incarnation(cell.series());
    return crowded
        ? answer
        : answer.thenApply(before -> {
          referee.receivedPeers(node, cell, before.peers(), incarnation);
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
