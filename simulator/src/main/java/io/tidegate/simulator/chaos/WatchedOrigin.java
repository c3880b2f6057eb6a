package io.tidegate.simulator.chaos;

import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** An origin of which the referee hears all that is said to it and by it. */
record WatchedOrigin(Node node, Referee referee, boolean crowded, RegionalOrigin origin)
    implements RegionalOrigin {

  @Override
  public CompletionStage<List<RegionalCount>> read(Writer writer, List<WindowCell> cells) {
    Knowledge knowledge = referee.knowledge(node);
    int life = knowledge.life(cells.get(0).series());
    return origin.read(writer, cells).thenApply(counts -> {
      for (int i = 0; i < counts.size(); i++) {
        hear(knowledge, cells.get(i), counts.get(i), life);
      }
      return counts;
    });
  }

  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    counts.forEach(count -> referee.replays(node, count));
    List<CompletionStage<RegionalCount>> answers = origin.replay(counts);
    if (crowded) {
      return answers; // it may be of a series that was evicted, and then nobody hears it
    }
    Knowledge knowledge = referee.knowledge(node);
    List<CompletionStage<RegionalCount>> heard = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      WindowCell cell = counts.get(i).cell();
      int life = knowledge.life(cell.series());
      heard.add(answers.get(i).thenApply(before -> {
        hear(knowledge, cell, before, life);
        return before;
      }));
    }
    return heard;
  }

  private static void hear(Knowledge knowledge, WindowCell cell, RegionalCount count, int life) {
    if (knowledge.life(cell.series()) == life) {
      knowledge.hearPeers(cell, count.peers());
    }
  }

  @Override
  public void close() {
    origin.close();
  }
}
