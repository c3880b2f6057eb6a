package io.tidegate.simulator.world;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A node's way to speak to the origin of its region. */
final class OriginClient implements RegionalOrigin {

  private final OriginServer server;
  private final Link link;

  OriginClient(OriginServer server, Link link) {
    this.server = server;
    this.link = link;
  }

  @Override
  public CompletionStage<List<RegionalCount>> read(Writer writer, List<WindowCell> cells) {
    return link.call(arrived -> {
      List<RegionalCount> counts = new ArrayList<>(cells.size());
      for (WindowCell cell : cells) {
        counts.add(server.read(writer.name(), cell));
      }
      return counts;
    });
  }

  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    List<CompletionStage<RegionalCount>> answers = new ArrayList<>(counts.size());
    List<CompletableFuture<RegionalCount>> open = new ArrayList<>(counts.size());
    for (int i = 0; i < counts.size(); i++) {
      CompletableFuture<RegionalCount> answer = new CompletableFuture<>();
      open.add(answer);
      answers.add(answer);
    }
    CompletableFuture<List<RegionalCount>> all = link.call(arrived -> {
      List<RegionalCount> before = new ArrayList<>(counts.size());
      for (OwnCount count : counts) {
        before.add(server.raise(count));
      }
      return before;
    });
    all.whenComplete((before, failure) -> {
      for (int i = 0; i < open.size(); i++) {
        if (failure == null) {
          open.get(i).complete(before.get(i));
        } else {
          open.get(i).completeExceptionally(failure);
        }
      }
    });
    return answers;
  }

  @Override
  public void close() {}
}
