package io.tidegate.simulator.world;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A node's client of its origin, with a link to each part. */
final class OriginClient implements RegionalOrigin {

  private final OriginServer server;
  private final List<NetworkLink> links;

  OriginClient(OriginServer server, List<NetworkLink> links) {
    this.server = server;
    this.links = links;
  }

  @Override
  public CompletionStage<List<RegionalCount>> read(Writer writer, List<WindowCell> cells) {
    NetworkLink link = links.get(server.part(cells.get(0).series()));
    return link.call(
        arrived -> cells.stream().map(cell -> server.read(writer.name(), cell)).toList());
  }

  /** Sends one message to each part that stores some of the cells. */
  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    List<CompletableFuture<RegionalCount>> answers = new ArrayList<>(counts.size());
    for (int i = 0; i < counts.size(); i++) {
      answers.add(new CompletableFuture<>());
    }
    for (int part = 0; part < links.size(); part++) {
      List<OwnCount> ofPart = new ArrayList<>(counts.size());
      List<CompletableFuture<RegionalCount>> open = new ArrayList<>(counts.size());
      for (int i = 0; i < counts.size(); i++) {
        if (server.part(counts.get(i).cell().series()) == part) {
          ofPart.add(counts.get(i));
          open.add(answers.get(i));
        }
      }
      if (!ofPart.isEmpty()) {
        replay(links.get(part), ofPart, open);
      }
    }
    return List.copyOf(answers);
  }

  private void replay(
      NetworkLink link, List<OwnCount> counts, List<CompletableFuture<RegionalCount>> open) {
    CompletableFuture<List<RegionalCount>> all =
        link.call(arrived -> counts.stream().map(server::raise).toList());
    var unused = all.whenComplete((before, failure) -> {
      for (int i = 0; i < open.size(); i++) {
        if (failure == null) {
          open.get(i).complete(before.get(i));
        } else {
          open.get(i).completeExceptionally(failure);
        }
      }
    });
  }

  @Override
  public String part(String region, Series series) {
    return server.partName(series);
  }

  @Override
  public void close() {}
}
