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
record WatchedOrigin(Node node, Referee referee, RegionalOrigin origin) implements RegionalOrigin {

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
    Knowledge knowledge = referee.knowledge(node);
    List<Integer> lives = new ArrayList<>();
    counts.forEach(count -> lives.add(knowledge.life(count.cell().series())));
    List<CompletionStage<RegionalCount>> answers = origin.replay(counts);
    List<CompletionStage<RegionalCount>> heard = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      OwnCount count = counts.get(i);
      int life = lives.get(i);
      heard.add(answers.get(i).thenApply(before -> {
        hear(knowledge, count.cell(), before, life);
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
